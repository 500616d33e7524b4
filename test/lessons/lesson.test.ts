import t from 'tap'
import { lessonCommands, missingLine } from './lesson.js'

t.test('commands and what is shown of them are read from console blocks', async (t) => {
  const readme = 'text\n```\n$ not this\n```\n```console\n$ one -- a\n…\n$ two\nx\ny\n```\n$ nor this\n'
  t.strictSame(lessonCommands(readme), [
    { line: 6, command: 'one -- a', shown: ['…'] },
    { line: 8, command: 'two', shown: ['x', 'y'] },
  ])
})

const same: [string, string][] = [
  ['172.18.0.2:30080 → 10.244.1.2:80', '172.18.0.9:30080 → 10.244.2.7:80'],
  [
    '-A KUBE-SVC-PFINMTQ5Y2TT4XZK -j KUBE-SEP-YMTAF3BZORA45S74',
    '-A KUBE-SVC-AAAAMTQ5Y2TT4XZK -j KUBE-SEP-BBBBF3BZORA45S74',
  ],
  ['web-7796bc996b-ndvvk 1/1 Running 0 3s', 'web-55bc996b77-xxzzw   1/1   Running   0   12s'],
  [
    'web-7796bc996b-ndvvk 1/1 Running 1 (3s ago) 9s',
    'web-7796bc996b-ndvvk   1/1   Running   1 (1m3s ago)   2m14s',
  ],
  ['{"pod":"web-…","node":"node-a"}', '{"pod":"web-7796bc996b-ndvvk","node":"node-b"}'],
  ['inet fd00:244:1::2/64', 'inet fd00:244:2::17/64'],
  ['[3:180] -j DROP', '[17:1020] -j DROP'],
]

const different: [string, string][] = [
  ['-j DROP', '-j REJECT'],
  ['KUBE-SVC-PFINMTQ5Y2TT4XZK', 'KUBE-SEP-PFINMTQ5Y2TT4XZK'],
  ['{"pod":"web-…","node":"node-a"}', '{"pod":"shop-7796bc996b-ndvvk","node":"node-a"}'],
  ['connection refused', 'connection timed out'],
]

t.test('lines are compared in shape', async (t) => {
  for (const [shown, output] of same) t.equal(missingLine([shown], `${output}\n`), undefined, shown)
  for (const [shown, output] of different) t.equal(missingLine([shown], `${output}\n`), shown, shown)
})

t.test('shown lines come in their order, others between', async (t) => {
  t.equal(missingLine(['a', '…', 'c'], 'a\nb\nc\n'), undefined)
  t.equal(missingLine(['c', '…', 'a'], 'a\nb\nc\n'), 'a')
  t.equal(missingLine([], ''), undefined)
  t.equal(missingLine([], 'something\n'), '(no output at all)')
})
