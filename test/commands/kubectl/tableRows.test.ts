import t from 'tap'
import { tableRows } from '../../../src/commands/kubectl/tableRows.js'

const table = {
  columnDefinitions: [
    { name: 'Name', priority: 0 },
    { name: 'Node', priority: 1 },
  ],
  rows: [
    {
      cells: ['web', 'node-a'],
      object: { metadata: { name: 'web', labels: { tier: 'front', app: 'web' } } },
    },
    { cells: ['bare', 'node-b'], object: { metadata: { name: 'bare', namespace: 'lab' } } },
  ],
}

t.test('labels are the last column, after those of -o wide', async (t) => {
  const form = { wide: false, namespaces: false, prefix: '' }
  t.strictSame(tableRows(table, form), [['NAME'], ['web'], ['bare']])
  t.strictSame(tableRows(table, { ...form, labels: true }), [
    ['NAME', 'LABELS'],
    ['web', 'app=web,tier=front'],
    ['bare', '<none>'],
  ])
  t.strictSame(tableRows(table, { wide: true, namespaces: true, labels: true, prefix: 'pod/' }), [
    ['NAMESPACE', 'NAME', 'NODE', 'LABELS'],
    ['', 'pod/web', 'node-a', 'app=web,tier=front'],
    ['lab', 'pod/bare', 'node-b', '<none>'],
  ])
})
