import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { parseRule } from '../../../src/netfilter/rules/parse.js'
import { renderRule } from '../../../src/netfilter/rules/render.js'
import { parseSave } from '../../../src/netfilter/save.js'
import { codePoint } from '../../codePoint.js'
import { arbitraryRule } from './arbitraryRule.js'
import { untyped } from './untyped.js'

t.test('parse(render(rule)) is the rule', (t) => {
  fc.assert(
    fc.property(arbitraryRule, (rule) => {
      const text = renderRule(rule)
      const read = parseRule(text)
      if (!isDeepStrictEqual(read, rule)) t.strictSame(read, rule, text)
      return isDeepStrictEqual(read, rule)
    }),
    { numRuns: 2000 },
  )
  t.end()
})

t.test('render(parse(text)) is the text, whatever it is', (t) => {
  const words = fc.constantFrom(
    ...[
      '-m',
      '-j',
      '-g',
      '-s',
      '-p',
      '!',
      'tcp',
      'comment',
      '--comment',
      '--dport',
      '80',
      'DNAT',
      '-A',
      '-i',
    ],
    ...[
      '--to-destination',
      '10.0.0.1:80',
      '"a \\" b"',
      '"open',
      '',
      ' ',
      '--icmp-type',
      'recent',
      '--set',
      'é',
    ],
  )
  const texts = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(words, { maxLength: 12 }).map((some) => some.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => renderRule(parseRule(text)) === text),
    { numRuns: 3000 },
  )
  t.end()
})

t.test('every recorded rule has types, and is printed as it was', (t) => {
  const folder = 'test/golden'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:tables-save|^rules\/ip6?tables)\.txt$/.test(file),
  )
  let rules = 0
  for (const file of files) {
    const tables = parseSave(readFileSync(join(folder, file), 'utf8'), file)
    rules += tables.reduce((sum, table) => sum + table.rules.length, 0)
    t.same(untyped(tables), [], file)
  }
  t.ok(rules > 8000, `${rules} rules`)
  t.end()
})
