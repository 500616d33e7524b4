import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { parseDocuments, parseExactly } from '../../../src/cluster/yaml/documents.js'
import { maxDepth, parseJson, yamlExcess } from '../../../src/cluster/yaml/limits.js'
import { yamlValue } from '../../../src/cluster/yaml/yamlValue.js'
import { readExactly } from '../../../src/lab/file/readYaml.js'
import { runs } from '../../suite.js'

t.setTimeout(300_000)
const deep = new RegExp(`nested deeper than ${maxDepth} levels`)
const megabytes = 3 * 2 ** 20

/** A unit of text, as often as it fits into the largest request. */
function filled(unit: string): string {
  return unit.repeat(Math.floor(megabytes / unit.length))
}

/** Texts that are nothing but nesting, with the line and column where they become too deep. */
const nests: Readonly<Record<string, [text: string, at: readonly [line: number, column: number]]>> = {
  'sequences on one line': [filled('- '), [1, 2 * maxDepth + 1]],
  'mappings on one line': [filled('a: '), [1, 3 * maxDepth + 2]],
  'explicit keys': [filled('? '), [1, 2 * maxDepth + 1]],
  'open brackets': [filled('['), [1, maxDepth + 1]],
  'open braces': [filled('{a: '), [1, 4 * maxDepth + 1]],
  'brackets on lines': [filled('a: [\n'), [maxDepth, 4]],
  'mappings on lines': [
    Array.from({ length: 2000 }, (_, indent) => `${' '.repeat(indent)}a:`).join('\n'),
    [maxDepth + 1, maxDepth + 2],
  ],
}

t.test('a text that is nothing but nesting is rejected where it becomes too deep', (t) => {
  for (const [name, [text, [line, column]]] of Object.entries(nests)) {
    t.match(parseDocuments('a.yaml', text).problems, [{ message: deep, hint: /60 levels/ }], name)
    t.match(yamlExcess('a.yaml', text)?.at, { file: 'a.yaml', line, column }, name)
    t.throws(
      () => readExactly(text, 'lab.yaml'),
      { message: new RegExp(`^lab.yaml:${line}:${column}: ${deep.source}`) },
      name,
    )
    t.throws(() => yamlValue(text), deep, name)
  }
  t.end()
})

t.test('brackets and hyphens without a meaning do not count', (t) => {
  const brackets = '[{- ? : '.repeat(1000)
  for (const text of [
    `a: "${brackets}"\n`,
    `a: '${brackets}'\n`,
    `a: |\n  ${brackets}\nb: 1\n`,
    `# ${brackets}\na: 1\n`,
    `a: b${'[{-?'.repeat(1000)}\n`,
    `a: "${'['.repeat(9)}\n  ${brackets}"\n`,
    '- [a]\n'.repeat(1000),
    'a: {b: [1]}\n---\n'.repeat(1000),
    Array.from({ length: 900 }, (_, length) => `${'k'.repeat(length + 1)}: !!str 1\n`).join(''),
  ]) {
    t.same(parseExactly('a.yaml', text).problems, [], text.slice(0, 40))
    t.equal(yamlExcess('a.yaml', text), undefined, text.slice(0, 40))
  }
  t.end()
})

t.test('a value that nests as deeply as is allowed is read from YAML and JSON', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: maxDepth }),
      fc.boolean(),
      (levels, flow) => {
        const value = levels.reduce<unknown>((inner, list) => (list ? [inner] : { a: inner }), 1)
        const text = stringify(value, { ...(flow ? { collectionStyle: 'flow' } : {}), indent: 1 })
        t.same(yamlValue(text), value)
        t.same(parseJson(JSON.stringify(value)), value)
      },
    ),
    { numRuns: runs(50, 5) },
  )
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const text = `${open.repeat(maxDepth + 1)}1${close.repeat(maxDepth + 1)}`
    t.throws(() => parseJson(text), deep)
    t.doesNotThrow(() => parseJson(`${open.repeat(maxDepth)}1${close.repeat(maxDepth)}`))
  }
  t.end()
})

t.test('a text with too many tokens is not parsed, nor corrected again and again', (t) => {
  const { problems } = parseDocuments('a.yaml', filled('- !!str 1\n'))
  t.match(problems, [{ message: /more than 1000000 tokens of YAML/, at: { line: /\d/ } }])
  const quotes = `b:\n${'  - "a\nb"\n'.repeat(3)}a: [${'1, '.repeat(200)}]\n`
  t.same(parseDocuments('a.yaml', quotes, 4000).problems, [])
  // three corrections, with a quarter of the tokens for the last one
  t.match(parseDocuments('a.yaml', quotes, 900).problems, [{ message: /Missing closing/ }])
  t.end()
})
