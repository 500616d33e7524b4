import fc from 'fast-check'
import { parseAllDocuments, stringify } from 'yaml'
import { codePoint } from '../../codePoint.js'

/** Values that no field expects: huge, deep, of another type, with control characters, or with a meaning elsewhere. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 65536, 2 ** 31, 2 ** 53, 1e308, [], {}, [[]], ''),
  fc.constantFrom(
    ...[
      '\u001b[2J',
      'a\0b',
      'a\nb',
      '\u202e',
      '$(reboot)',
      '__proto__',
      'constructor',
      '../../../etc/shadow',
      '/dev/zero',
    ],
    ...['{node-a}', '{', '*', '*'.repeat(5000), '10.0.0.0/8', '::', '999999999999999999999s', '^(a+)+$'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: codePoint }),
)

interface Change {
  readonly pick: number
  readonly kind: 'replace' | 'remove' | 'rename' | 'duplicate' | 'nest'
  readonly value: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  pick: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'rename', 'duplicate', 'nest'),
  value: odd,
})

type Path = readonly (string | number)[]

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, item]) =>
    paths(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...inner]
}

/** The value with a change at a path. */
function changed(value: unknown, [key, ...rest]: Path, made: Change): unknown {
  if (key === undefined) return made.kind === 'nest' ? nested(value) : made.value
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index): unknown[] => {
      if (index !== key) return [item]
      if (rest.length > 0 || made.kind === 'replace' || made.kind === 'nest')
        return [changed(item, rest, made)]
      return made.kind === 'remove' ? [] : [item, item]
    })
  }
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.flatMap(([name, item]): [string, unknown][] => {
      if (name !== key) return [[name, item]]
      if (rest.length > 0 || made.kind === 'replace' || made.kind === 'nest')
        return [[name, changed(item, rest, made)]]
      if (made.kind === 'remove') return []
      const other = typeof made.value === 'string' ? made.value : `${name}s`
      return made.kind === 'rename'
        ? [[other, item]]
        : [
            [name, item],
            [other, item],
          ]
    }),
  )
}

function nested(value: unknown): unknown {
  return Array.from({ length: 200 }).reduce<unknown>(
    (inner, _, index) => (index % 2 === 0 ? [inner] : { a: inner }),
    value,
  )
}

/** A text of YAML with something in it replaced, removed, renamed, duplicated or nested. */
function otherNodes(text: string, changes: readonly Change[]): string {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as unknown)
  for (const made of changes) {
    const at = made.pick % documents.length
    const all = paths(documents[at])
    documents[at] = changed(documents[at], all[made.pick % all.length] ?? [], made)
  }
  return documents.map((document) => stringify(document)).join('---\n')
}

interface Edit {
  readonly at: number
  readonly length: number
  readonly text: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  length: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 200 })),
  text: fc.oneof(
    fc.constantFrom(
      '',
      '&a ',
      '*a',
      '<<: *a',
      '!!binary ',
      '---\n',
      '\t',
      '\r',
      '\0',
      '\u001b]0;x\u0007',
      '\ufeff',
      '{',
      '[',
      '"',
      "'",
      '|',
      '>',
      '? ',
      ': ',
      '- ',
      '#',
    ),
    fc.constantFrom('['.repeat(3000), '&a [' + '*a,'.repeat(50) + ']', '9'.repeat(400), 'x'.repeat(70_000)),
    fc.string({ unit: codePoint }),
  ),
})

/** A text with some of its characters replaced. */
function otherText(text: string, edits: readonly Edit[]): string {
  return edits.reduce((now, { at, length, text: put }) => {
    const from = at % (now.length + 1)
    return now.slice(0, from) + put + now.slice(from + length)
  }, text)
}

/** One of some files, with its text damaged; with `nodes` false as characters only, where the text is no YAML. */
export function damaged<File extends { readonly text: string }>(
  files: readonly File[],
  { nodes = true } = {},
): fc.Arbitrary<File> {
  const file = fc.constantFrom(...files)
  const characters = fc
    .tuple(file, fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([one, edits]) => ({ ...one, text: otherText(one.text, edits) }))
  if (!nodes) return characters
  return fc.oneof(
    characters,
    fc
      .tuple(file, fc.array(change, { minLength: 1, maxLength: 3 }))
      .map(([one, changes]) => ({ ...one, text: otherNodes(one.text, changes) })),
  )
}
