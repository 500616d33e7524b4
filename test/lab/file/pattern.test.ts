import t from 'tap'
import { compilePattern, isPattern } from '../../../src/lab/file/pattern.js'

t.test('^ and $ stand at lines, and braces are quantifiers', (t) => {
  t.ok(compilePattern('^b$')('a\nb\nc'))
  t.ok(compilePattern('a{2}')('caab'))
  t.notOk(compilePattern('\\Ab')('a\nb'))
  t.ok(compilePattern('(?<name>é+)')('café'), 'groups as JavaScript names them')
  t.end()
})

// a backtracking engine would take 2^60 steps for the first of them
t.test('patterns that are said to take for ever', (t) => {
  const text = `${'a'.repeat(60)}!`
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a)*$', '(.*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])
    t.notOk(compilePattern(pattern)(text), pattern)
  t.ok(compilePattern('^(a+)+$')('a'.repeat(100_000)), 'a long text')
  t.end()
})

t.test('what is no pattern of RE2', (t) => {
  for (const pattern of ['(', 'a(?=b)', '(a)\\1', '(a{1000}){1000}', '[b-a]', '*', 'x'.repeat(2000)])
    t.notOk(isPattern(pattern), pattern.slice(0, 40))
  t.ok(isPattern('"server":"\\[fd00:244:[0-9a-f:]+\\]:80"'))
  t.end()
})
