import t from 'tap'
import { parseDocuments } from '../../../src/cluster/yaml/documents.js'
import { plainScalar } from '../../../src/cluster/yaml/scalars.js'

function value(text: string): unknown {
  const { documents, problems } = parseDocuments('a.yaml', text)
  if (problems.length > 0) throw new Error(problems[0]?.message)
  return documents[0]?.value
}

function faults(text: string): string[] {
  return parseDocuments('a.yaml', text).problems.map(
    ({ message, at }) => `${at?.line}:${at?.column} ${message}`,
  )
}

t.test('plain scalars are those of Kubernetes', (t) => {
  const table: [string, unknown][] = [
    ['yes', true],
    ['y', true],
    ['Off', false],
    ['true', true],
    ['', null],
    ['~', null],
    ['Null', null],
    ['80', 80],
    ['-1', -1],
    ['+7', 7],
    ['0755', 493],
    ['0o17', 15],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['08', 8],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1:30', '1:30'],
    ['1.4.2', '1.4.2'],
    ['100m', '100m'],
    ['2026-11-21', '2026-11-21'],
    ['.inf', '.inf'],
    ['1e999', '1e999'],
    ['nginx', 'nginx'],
    ['yEs', 'yEs'],
  ]
  for (const [source, expected] of table) t.equal(plainScalar(source), expected, source)
  t.end()
})

t.test('quotes, tags, keys, merges and aliases', (t) => {
  t.same(value('a: "yes"\nb: !!str 80\nc: !!int "7"\n1: x\ny: z\n'), {
    a: 'yes',
    b: '80',
    c: 7,
    '1': 'x',
    true: 'z',
  })
  t.same(value('base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\nagain: *b\n'), {
    base: { x: 1, true: 2 },
    use: { x: 1, true: 3 },
    again: { x: 1, true: 2 },
  })
  t.same(Object.keys(value('__proto__: {a: 1}') as object), ['__proto__'])
  t.same(value('{"json": [1, 2, {"a": null}],\n\t"tab": true}'), { json: [1, 2, { a: null }], tab: true })
  t.end()
})

t.test('invalid YAML is reported with its position', (t) => {
  t.same(faults('a: 1\nb: 2\na: 3\n'), [
    '3:1 error converting YAML to JSON: yaml: key "a" already set in map',
  ])
  t.match(faults('a: [1, 2\nb: 3\n'), [/^2:1 /])
  t.match(faults('a: b: c\n'), [/^1:4 /])
  t.match(faults('a:\n\t- b\n'), [/^2:1 /])
  t.match(faults('a: *nope\n'), [/nope/])
  t.match(faults('a: &x [*x]\n'), [/1:8 .*anchor 'x' value contains itself/])
  t.match(faults('a: !thing b\n'), [/unknown tag !thing/])
  t.match(faults('? [a]\n: b\n'), [/a mapping key must be a scalar/])
  t.match(faults('a:\n  <<: 7\n'), [/map merge requires map/])
  t.match(faults('['.repeat(50_000)), [/./])
  t.match(faults(`${'['.repeat(600)}${']'.repeat(600)}`), [/nested deeper than 500 levels/])
  t.end()
})

t.test('lines of a quoted scalar may have fewer spaces, as in the parser of Kubernetes', (t) => {
  const text = "a:\n  b: 'x\n\n  y: z\n '\n  c: \"1\\\n  2\"\n---\nd: 'e\nf'\ng: 1\n"
  const { documents, problems } = parseDocuments('a.yaml', text)
  t.same(problems, [])
  t.same(
    documents.map(({ value }) => value),
    [{ a: { b: 'x\ny: z ', c: '12' } }, { d: 'e f', g: 1 }],
  )
  t.match(documents[1]?.at(['g']), { line: 11, column: 4 })
  for (const open of ["a: 'b\nc: d\n", "a: 'b\nc: 'd'\n"])
    t.match(parseDocuments('a.yaml', open).problems, [{ message: /^error converting YAML to JSON: yaml: / }])
  t.end()
})

t.test('aliases of aliases do not exhaust memory', (t) => {
  const lines = ['l0: &l0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 12; level++)
    lines.push(
      `l${level}: &l${level} [${Array(10)
        .fill(`*l${level - 1}`)
        .join(', ')}]`,
    )
  t.match(faults(lines.join('\n')), [/document contains excessive aliasing/])
  t.end()
})

t.test('places', (t) => {
  const { documents } = parseDocuments(
    'a.yaml',
    '# about\nspec:\n  ports:\n    - port: 80\n      name: http\n  clusterIP: 10.0.0.1\n  tags: &t\n    - x\n  more: *t\n---\nb: 1\n',
  )
  const [first, second] = documents
  const place = (path: (string | number)[]): string => {
    const { line, column } = first!.at(path)
    return `${line}:${column}`
  }
  t.equal(place([]), '2:1')
  t.equal(place(['spec']), '2:1', 'a collection has the position of its key')
  t.equal(place(['spec', 'ports', 0]), '4:7')
  t.equal(place(['spec', 'ports', 0, 'port']), '4:13', 'a scalar by itself')
  t.equal(place(['spec', 'ports', 0, 'nodePort']), '4:7', 'what is missing, by what it is missing from')
  t.equal(place(['spec', 'clusterIPs', 0]), '6:14', 'the field that the user wrote')
  t.equal(place(['spec', 'more', 0]), '8:7', 'through an alias')
  t.equal(place(['metadata', 'name']), '2:1')
  t.same(first!.keyAt(['spec', 'ports', 0, 'port']), { file: 'a.yaml', line: 4, column: 7 })
  t.same(second!.at(['b']), { file: 'a.yaml', line: 11, column: 4 })
  t.end()
})

t.test('documents with only comments are skipped', (t) => {
  t.equal(parseDocuments('a.yaml', '# one\n---\n# two\n---\na: 1\n---\n').documents.length, 1)
  t.equal(parseDocuments('a.yaml', '').documents.length, 0)
  t.end()
})

t.test('a byte order mark and carriage returns', (t) => {
  const { documents } = parseDocuments('a.yaml', '\uFEFFa: 1\r\nb:\r\n  - "x"\r\n---\r\nc: |\r\n  text\r\n')
  t.same(
    documents.map((document) => document.value),
    [{ a: 1, b: ['x'] }, { c: 'text\n' }],
  )
  t.same(documents[0]?.at(['b', 0]), { file: 'a.yaml', line: 3, column: 5 })
  t.end()
})
