import fc from 'fast-check'
import t from 'tap'
import { isGlob } from '../../src/netfilter/glob.js'

t.test('a star matches anything, other characters themselves', (t) => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['KUBE-SVC-*', 'KUBE-SVC-ABC', true],
    ['KUBE-SVC-*', 'KUBE-SVC-', true],
    ['KUBE-SVC-*', 'KUBE-SEP-ABC', false],
    ['KUBE-*-ABC', 'KUBE-SVC-ABC', true],
    ['KUBE-*-ABC', 'KUBE-ABC', false],
    ['KUBE', 'KUBE-SVC', false],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a.c', 'abc', false],
    ['[a]*(', '[a]x(', true],
    ['**-d**10*', '-A X -d 10.0.0.1', true],
  ]
  for (const [pattern, text, expected] of table)
    t.equal(isGlob(pattern, text), expected, `${pattern} ${text}`)
  t.end()
})

t.test('the same result as a regular expression', (t) => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  fc.assert(
    fc.property(short, text, (pattern, subject) => {
      const shape = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
      return isGlob(pattern, subject) === shape.test(subject)
    }),
  )
  t.end()
})

// with backtracking each additional star takes thousands of times longer
t.test('many stars', (t) => {
  t.notOk(isGlob(`${'*a'.repeat(200)}*b`, 'a'.repeat(100_000)))
  t.end()
})
