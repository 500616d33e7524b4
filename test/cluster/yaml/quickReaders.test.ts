import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parseAllDocuments, stringify } from 'yaml'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { parseDocuments, parseExactly } from '../../../src/cluster/yaml/documents.js'
import { jsonValue } from '../../../src/cluster/yaml/jsonValue.js'
import { usualDocuments } from '../../../src/cluster/yaml/usualDocuments.js'
import { InputError } from '../../../src/errors.js'
import { readExactly, usualValue } from '../../../src/lab/file/readYaml.js'
import { damaged } from '../../full/inputs/damage.js'
import { runs } from '../../suite.js'

t.setTimeout(900_000)
const seed = 20

/** The values of the documents of a text, as a quick reader reads them; undefined if it leaves them to the exact reader. */
function quickly(text: string): readonly unknown[] | undefined {
  const json = jsonValue(text)
  return json === undefined ? usualDocuments(text) : [json]
}

/** Whether a quick reader reads a text; throws if it reads it differently from the exact reader, as a manifest or as a lab file. */
function readsQuickly(text: string): boolean {
  const usual = usualValue(text)
  if (usual !== undefined) {
    const { value } = readExactly(text, 'lab.yaml')
    if (show(usual) !== show(value)) throw new Error(`${text}\nis read as ${show(usual)}, not ${show(value)}`)
  }
  const quick = quickly(text)
  if (quick === undefined) return false
  const { documents, problems } = parseExactly('a.yaml', text)
  if (problems.length > 0) throw new Error(`${text}\nis rejected: ${problems[0]?.message}`)
  // the order of keys counts, and so does -0
  const exact = documents.map(({ value }) => value)
  if (show(quick) !== show(exact)) throw new Error(`${text}\nis read as ${show(quick)}, not ${show(exact)}`)
  return true
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (Object.is(inner, -0) ? '-0' : inner))
}

/** How many of the texts of a generator are read quickly; throws if one is read differently. */
function countQuick(count: number, texts: fc.Arbitrary<string>): number {
  let quick = 0
  const property = fc.property(texts, (text) => {
    if (readsQuickly(text)) quick++
  })
  fc.assert(property, { numRuns: count, seed, endOnFailure: true })
  return quick
}

const files = readdirSync('labs', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\/manifests\/.*\.ya?ml$/.test(path))
  .sort()
  .map((path) => ({ path, text: readFileSync(join('labs', path), 'utf8') }))

t.test('what is read quickly, and how', (t) => {
  const table: [string, unknown[]][] = [
    ['a: 1\n', [{ a: 1 }]],
    ['# about\n---\n# more\na: yes\n\n---\n---\nb: ~\n', [{ a: true }, { b: null }]],
    ['a:\n  b:\n    - 0755\n    -   c: x\n        d:\n\n    # here\n    - - y\n      - z\n', [{ a: { b: [493, { c: 'x', d: null }, [true, 'z']] } }]],
    ['a:\n- b:\n  - c\n- d: e\nf: g\n', [{ a: [{ b: ['c'] }, { d: 'e' }], f: 'g' }]],
    ['a: http://b:80/#c d\nb: -1\nc: "x: #"\nd: \'it\'\'s\'\ne: "\\n\\"\\\\"\n', [{ a: 'http://b:80/#c d', b: -1, c: 'x: #', d: "it's", e: '\n"\\' }]],
    ['a: [1, "b", \'c\', {d: e, "f": fd00::1}, [], {}]\nb: []\n', [{ a: [1, 'b', 'c', { d: 'e', f: 'fd00::1' }, [], {}], b: [] }]],
    ['a: [b\n  , -t, K-*, c d,\n  # e\n\n  {f: a:b, g h: "i",\n  },\n  ]\nb:\n  { c: 파드 }\n', [{ a: ['b', '-t', 'K-*', 'c d', { f: 'a:b', 'g h': 'i' }], b: { c: '파드' } }]],
    ['a: >\n  b\n  c\n\n\n  d\n\nb: >-\n  e\n  f\nc:\n  "g"\nd: 노드\ne: f\xa0\n', [{ a: 'b c\n\nd\n', b: 'e f', c: 'g', d: '노드', e: 'f\xa0' }]],
    ['a: |\n  b\n    c: #\n\n  d\n\nb: |-\n  ---\n', [{ a: 'b\n  c: #\n\nd\n', b: '---' }]],
    ['"a b": 1\n\'c\': 2\ny: 3\n8080: 4\n', [{ 8080: 4, 'a b': 1, c: 2, true: 3 }]],
    ['{"a": [1, -2.5, true, null, "\\u00e9\\n"],\n "b": {}}', [{ a: [1, -2.5, true, null, 'é\n'], b: {} }]],
  ] // prettier-ignore
  for (const [text, values] of table) {
    t.same(quickly(text), values, JSON.stringify(text))
    t.ok(readsQuickly(text))
  }
  t.end()
})

t.test('what is left to the exact reader', (t) => {
  const texts = [
    ...['a: 1', 'a: 1\r\n', '\ufeffa: 1\n', 'a:\tb\n', '- a\n', 'a\n', 'a: b: c\n', 'a: b # c\n', 'a: b\n  c\n'],
    ...['a: 1\na: 2\n', 'y: 1\ntrue: 2\n', 'a: {b: 1, b: 2}\n', '__proto__: 1\n', 'a: {__proto__: 1}\n'],
    ...['a: &b 1\n', 'a: *b\n', 'a: !!str 1\n', '<<: {}\n', '? a\n', 'a: >\n  b \n  c\n', 'a: >\n  b\n   c\n', 'a: |+\n  b\n', 'a: -\n'],
    ...['a: |\n\n  b\n', 'a: |\nb: 1\n', 'a: "b\n  c"\n', 'a: "\\x41"\n', 'a: [b\n]\n', 'a: [,]\n', 'a: [b\n  c]\n'],
    ...['a: ["b\n  c"]\n', 'a: [b #c]\n', 'a: [b # c\n  ]\n', 'a: {b: c\n  d: e}\n', 'a: {b}\n', 'a: {b :c}\n', 'a:\n  b\n  c\n', 'null: 1\n'],
    ...['a: 1\n...\n', '%YAML 1.2\n---\na: 1\n', '--- a\n', 'a:\n    b: 1\n  c: 2\n', ' a: 1\nb: 2\n'],
    ...['a:\n- b\n - c\n', 'a: 1\n  b: 2\n', 'a: {b:1}\n', 'a: [::1]\n', 'a: [-]\n', 'a:\n-\n  b\n', 'a: "b" c\n'],
    ...['{"a": 1, "a": 2}', '{"a": -0}', '{"a": 9007199254740993}', '{"a": 1e999}', '{"a"\n: 1}', '{"a": 1} 2', '[1]'],
    ...[`{"a": ${'['.repeat(600)}${']'.repeat(600)}}`, `a: ${'['.repeat(600)}${']'.repeat(600)}\n`, '{\n\t"a": 1}'],
  ] // prettier-ignore
  for (const text of texts) t.equal(quickly(text), undefined, JSON.stringify(text).slice(0, 60))
  t.end()
})

t.test('the manifests of labs, whole and damaged', (t) => {
  t.ok(files.filter(({ text }) => readsQuickly(text)).length > files.length / 2, 'most are read quickly')
  const quick = countQuick(
    runs(6000, 200),
    damaged(files).map(({ text }) => text),
  )
  t.ok(quick > 0, 'and so are some damaged ones')
  t.comment(`figure: ${quick} damaged manifests are read quickly`)
  t.end()
})

t.test('lab files, whole and damaged', (t) => {
  const labs = readdirSync('labs', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/(lab|exercise)\.yaml$/.test(path))
    .map((path) => ({ path, text: readFileSync(join('labs', path), 'utf8') }))
  const quick = labs.filter(({ text }) => usualValue(text) !== undefined)
  t.ok(quick.length > (labs.length * 3) / 4, `${quick.length} of ${labs.length} are read quickly`)
  countQuick(
    runs(6000, 200),
    fc.oneof(
      fc.constantFrom(...labs.map(({ text }) => text)),
      damaged(labs).map(({ text }) => text),
    ),
  )
  t.end()
})

t.test('any value, as YAML and as JSON', (t) => {
  const word = fc.oneof(
    fc.constantFrom('yes', 'no', '~', '0o17', '010', '1_0', '-', '--', '---', 'a b', 'a: b', 'a #b', '', ' ', '"', "'", '\\'),
    fc.constantFrom('http://a:80', '::1', '10.0.0.1', '80', '-1', '1e3', '{', ']', '|', '>', '&a', '*a', '#', '%', '@', '\n', 'a\nb\n'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ maxLength: 8 }),
  ) // prettier-ignore
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar(word), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    map: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  }))
  const map = fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 })
  const styles = fc.record({
    indentSeq: fc.boolean(),
    defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_SINGLE' as const, 'QUOTE_DOUBLE' as const),
    collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    lineWidth: fc.constantFrom(0, 80),
  })
  const yaml = fc.tuple(map, styles).map(([one, style]) => stringify(one, { ...style, version: '1.1' }))
  const core = fc.tuple(map, styles).map(([one, style]) => stringify(one, style))
  const json = fc.tuple(map, fc.constantFrom(undefined, 2)).map(([one, space]) => JSON.stringify(one, null, space))
  t.ok(countQuick(runs(20_000, 600), yaml) > 0)
  countQuick(runs(20_000, 600), core)
  t.ok(countQuick(runs(20_000, 600), json) > 0)
  const changed = fc.tuple(json, fc.nat(), fc.constantFrom('', '"', ':', ',', '{', '}', '\n', '\\', '0', '-', '"a":1,'))
  t.ok(countQuick(runs(20_000, 600), changed.map(([text, at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1))) >= 0)
  t.end()
}) // prettier-ignore

t.test('any lines of marks of YAML', (t) => {
  const part = fc.constantFrom(
    ...['a', 'b', 'c: ', 'd:', 'e: f', '- ', '-', ': ', ':', ' #', '#', '"', "'", '"g"', "'h'", '[', ']', '{', '}', ',', ', '],
    ...['|', '|-', '>', '>-', '&i ', '*i', '!j ', '? ', '---', '...', '%', '@', '<<: ', ' ', '0', '08', '-1', '.5', '~', '\\', '`', '=', '/'],
  ) // prettier-ignore
  const line = fc
    .tuple(fc.nat({ max: 4 }), fc.array(part, { maxLength: 4 }))
    .map(([indent, parts]) => ' '.repeat(indent) + parts.join(''))
  const simple = fc.constantFrom('a: 1', 'b:', '- x', '- c: 2', '  d: 3', '  - y', '  e:', '    f: |', '    g', '', '# h')
  const text = fc.array(fc.oneof(simple, line), { minLength: 1, maxLength: 7 }).map((all) => `${all.join('\n')}\n`)
  const quick = countQuick(runs(100_000, 2000), text)
  t.ok(quick > 50, 'some are read quickly')
  t.end()
}) // prettier-ignore

function scalar(word: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof(word, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true }))
}

t.test('positions are those of the exact reader', (t) => {
  const text = '# about\na:\n  - b: 1\n---\n---\nc: x\n'
  t.ok(readsQuickly(text))
  const { documents } = parseDocuments('a.yaml', text)
  t.same(documents[0]?.at(['a', 0, 'b']), { file: 'a.yaml', line: 3, column: 8 })
  t.same(documents[1]?.keyAt(['c']), { file: 'a.yaml', line: 6, column: 1 })
  t.end()
})

t.test('a manifest with errors is rejected with the same messages', (t) => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } }
  const seeds = [...files.flatMap(({ text }) => parseAllDocuments(text).map((one) => one.toJS() as unknown)), node]
  const documents = seeds.map((one) => ({ text: stringify(one) }))
  let rejected = 0
  const property = fc.property(damaged(documents), ({ text }) => {
    if (quickly(text) === undefined) return
    // a tab in a comment: only the exact reader reads this text
    const other = `${text}#\t\n`
    if (quickly(other) !== undefined) throw new Error('it is read quickly')
    const [one, two] = [outcome(text), outcome(other)]
    if (typeof one === 'string' && one.startsWith('[')) rejected++
    if (one !== two) throw new Error(`${text}\n${one}\n${two}`)
  })
  fc.assert(property, { numRuns: runs(6000, 300), seed, endOnFailure: true })
  t.ok(rejected > 10, `${rejected} are rejected`)
  t.end()
}) // prettier-ignore

/** What a text is read as, or why it is rejected and where. */
function outcome(text: string): string {
  try {
    const { objects, notices } = parseManifests([{ path: 'a.yaml', text }])
    return JSON.stringify({ objects, notices, at: objects.map((one) => one.at(['metadata', 'name'])) })
  } catch (error) {
    if (error instanceof InputError) return JSON.stringify(error.problems)
    throw error
  }
}
