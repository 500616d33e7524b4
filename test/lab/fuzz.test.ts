import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { InputError } from '../../src/errors.js'
import { evaluate } from '../../src/lab/steps/evaluate.js'
import { loadLab } from '../../src/lab/file/loadLab.js'
import { namesOf } from '../../src/names/names.js'
import { resolveLab } from '../../src/lab/names/resolveLab.js'
import { isRequest } from '../../src/lab/file/toStep.js'
import { answer, contextOf, crossNodeFlow, topology } from './fixture.js'
import { runs } from '../suite.js'
import { codePoint } from '../codePoint.js'

const cwd = t.testdir({ labs: { fuzz: {} } })
const names = namesOf(topology)

const seen = {
  from: 'client',
  requests: [answer(), answer()],
  flows: [crossNodeFlow()],
  ruleCounts: new Map(),
  conntrack: new Map([['node-a', []]]),
}

/** Loads, resolves and evaluates a lab file: whatever is in it, only InputError comes out, with a message on every line. */
function survives(text: string): boolean {
  mkdirSync(join(cwd, 'labs/fuzz'), { recursive: true })
  writeFileSync(join(cwd, 'labs/fuzz/lab.yaml'), text)
  try {
    const lab = loadLab('fuzz', { cwd, packageRoot: cwd })
    for (const step of resolveLab(lab, names)) {
      const checks = evaluate(step, seen, contextOf(step))
      if (
        (checks.length === 0 && isRequest(step.action)) ||
        checks.some(({ name, expected, observed }) => !name || !expected || !observed)
      )
        return false
    }
    return true
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.problems.length > 0 && error.problems.every(({ message }) => !message.includes('undefined'))
  }
}

/** The labs that mutations start from: those of the documentation. */
const samples = [...readFileSync('docs/lab-format.md', 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)]
  .map(([, text = '']) => text)
  .filter((text) => !text.startsWith('expect:'))

type Path = readonly (string | number)[]

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      paths(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** The value with something else at a path, or under another key, or gone. */
function changed(value: unknown, [key, ...rest]: Path, change: Change): unknown {
  if (key === undefined) return change.value
  if (Array.isArray(value)) {
    const copy = [...(value as unknown[])]
    const index = Number(key)
    if (rest.length === 0 && change.kind === 'remove') copy.splice(index, 1)
    else copy[index] = changed(copy[index], rest, change)
    return copy
  }
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.flatMap(([name, inner]): [string, unknown][] => {
      if (name !== key) return [[name, inner]]
      if (rest.length > 0 || change.kind === 'replace') return [[name, changed(inner, rest, change)]]
      return change.kind === 'remove' ? [] : [[change.name, inner]]
    }),
  )
}

interface Change {
  readonly kind: 'replace' | 'rename' | 'remove'
  readonly value: unknown
  readonly name: string
}

const words = [
  'node-a',
  'web',
  'app=web',
  '{node-a}',
  '{web.nodePort}',
  '*',
  'none',
  'called',
  '{{',
  '{',
  '$(reboot)',
  '\0',
  '__proto__',
  'constructor',
  '1e400',
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...words),
  fc.integer(),
  fc.double(),
  fc.string({ unit: codePoint }),
)
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'rename', 'remove'),
  value,
  name: fc.oneof(fc.constantFrom(...words, 'expect', 'from', 'some'), fc.string()),
})

t.test('labs with something in them replaced, renamed or removed', async () => {
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) =>
      stringify(
        changes.reduce<unknown>((lab, [pick, one]) => {
          const all = paths(lab)
          return changed(lab, all[pick % all.length] ?? [], one)
        }, parse(text)),
      ),
    )
  fc.assert(fc.property(mutated, survives), { numRuns: runs(300) })
})

t.test('labs with damaged text', async () => {
  const damaged = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.nat({ max: 12 }),
      fc.oneof(fc.string(), fc.constantFrom(...'{}[]:-#&*!|>%@\t\n"\'')),
    )
    .map(
      ([text, at, length, other]) =>
        text.slice(0, at % text.length) + other + text.slice((at % text.length) + length),
    )
  fc.assert(fc.property(damaged, survives), { numRuns: runs(300) })
})

t.test('any value and any text as a lab', async () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue().map((any) => stringify(any)),
        fc.string({ unit: codePoint }),
      ),
      survives,
    ),
    { numRuns: runs(200) },
  )
})
