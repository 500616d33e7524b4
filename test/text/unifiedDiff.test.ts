import t from 'tap'
import { unifiedDiff } from '../../src/text/unifiedDiff.js'

const lines = (count: number, change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => change[index] ?? `line ${index}`).join('\n')

t.test('changes with three lines of context', (t) => {
  t.equal(unifiedDiff(lines(9), lines(9)), '')
  t.equal(
    unifiedDiff(lines(9), lines(9, { 4: 'new' })),
    '@@ -2,7 +2,7 @@\n line 1\n line 2\n line 3\n-line 4\n+new\n line 5\n line 6\n line 7',
  )
  t.equal(unifiedDiff('a', 'b'), '@@ -1 +1 @@\n-a\n+b')
  t.end()
})

t.test('changes that are near each other are in one group', (t) => {
  const heads = (text: string) => text.split('\n').filter((line) => line.startsWith('@@'))
  t.same(heads(unifiedDiff(lines(20), lines(20, { 3: 'x', 10: 'y' }))), ['@@ -1,14 +1,14 @@'])
  t.same(heads(unifiedDiff(lines(20), lines(20, { 3: 'x', 11: 'y' }))), [
    '@@ -1,7 +1,7 @@',
    '@@ -9,7 +9,7 @@',
  ])
  t.end()
})

t.test('frequent lines of a long text start no block', (t) => {
  const before = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? '}' : `line ${index}`))
  const after = before.flatMap((line) => (line === 'line 149' ? ['}', 'new', line] : [line]))
  t.equal(
    unifiedDiff(before.join('\n'), after.join('\n')),
    '@@ -147,6 +147,8 @@\n }\n line 147\n }\n+}\n+new\n line 149\n }\n line 151',
  )
  t.end()
})
