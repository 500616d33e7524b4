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

t.test(
  'a table that is wider than the terminal continues on the next line, without breaking a word',
  async (t) => {
    const rows = [
      ['NAME', 'STATUS', 'IP', 'NODE', 'SELECTOR'],
      ['my-app-7d69455498-8457n', 'Running', '10.244.1.3', 'node-a', 'app=my-app,tier=front'],
      ['db', 'Running', 'fd00:10:244:1::1234', 'node-b', ''],
    ]
    t.equal(
      formatTable(rows, { width: 40, gap: 3 }),
      [
        'NAME                      STATUS',
        '    IP                    NODE',
        '    SELECTOR',
        'my-app-7d69455498-8457n   Running',
        '    10.244.1.3            node-a',
        '    app=my-app,tier=front',
        'db                        Running',
        '    fd00:10:244:1::1234   node-b',
        '',
      ].join('\n'),
    )
    t.equal(
      formatTable(rows, { width: 100, gap: 3 }),
      formatTable(rows, { gap: 3 }),
      'a terminal that is wide enough',
    )
  },
)

t.test('a last column is wrapped at spaces and after commas if enough columns are left', async (t) => {
  const addresses = '10.244.1.2,10.244.1.3,10.244.2.2,10.244.2.3'
  t.equal(
    formatTable([['web', addresses]], { width: 28 }),
    'web  10.244.1.2,10.244.1.3,\n     10.244.2.2,10.244.2.3\n',
  )
  t.equal(formatTable([['web', 'two words and more']], { width: 25 }), 'web  two words and more\n')
  t.equal(
    formatTable(
      [
        ['a-name', 'Created pod my-app-7d69455498'],
        ['b', 'x'],
      ],
      { width: 24 },
    ),
    'a-name\n    Created pod\n    my-app-7d69455498\nb\n    x\n',
    'a word that does not fit beside the other columns moves the column below them',
  )
  const colons = formatTable([['a', '[fd00:10:96::a]:8080 → [fd00:10:244:1::12]:80']], { width: 26 })
  t.equal(colons, 'a  [fd00:10:96::a]:8080 →\n   [fd00:10:244:1::12]:80\n')
})

t.test('columns are at least as wide as those of rows that were printed before', async (t) => {
  t.equal(formatTable([['a', 'b']], { least: [4, 2] }), 'a     b\n')
})
