import t from 'tap'
import { formatTable } from '../../src/text/table.js'

t.test('columns are aligned', async (t) => {
  const rows = [
    ['LAB', 'NODES', 'UP SINCE'],
    ['nodeport', '2', '12:04'],
    ['漢字', '10', ''],
  ]
  t.equal(
    formatTable(rows, { right: [1] }),
    ['LAB       NODES  UP SINCE', 'nodeport      2  12:04', '漢字         10', ''].join('\n'),
  )
})

t.test('rows may differ in length, no rows give no text', async (t) => {
  t.equal(formatTable([['a'], ['bb', 'c']], { indent: 1, gap: 1 }), ' a\n bb c\n')
  t.equal(formatTable([]), '')
})

t.test('a cell cannot break its line or colour it', async (t) => {
  t.equal(formatTable([['a\nb', '\x1b[31mred']]), 'a\\nb  \\x1b[31mred\n')
})
