import type { Problem } from '../../errors.js'
import { checkClients } from './checkClients.js'
import { checkActionCount, checkFields, checkLoads } from './checkActions.js'
import { isBraceProblem, splitBraces } from '../../names/braces.js'
import { kindOf } from '../expectations/index.js'
import { inside, subject } from './explain.js'
import { labRanges } from './labRanges.js'
import type { YamlFile } from './readYaml.js'
import { actionKeys, stepSchema, type StepFile } from './schema.js'
import { isRequest, requestsOf, toStep } from './toStep.js'
import { urlProblem } from '../../net/urlProblem.js'

type Path = readonly (string | number)[]

/** Problems that the schema does not find. Checks raw values, so that all problems are reported at once. */
export function checkLab(file: YamlFile): Problem[] {
  const lab = mapping(file.value)
  const { clients } = mapping(lab.topology)
  const hasClient = !Array.isArray(clients) || clients.length > 0
  const ranges = labRanges(file)
  return [
    ...checkNames(lab, file),
    ...ranges.problems,
    ...checkClients(file, ranges.ranges),
    ...checkSteps(list(lab.steps), { key: 'steps', hasClient, file }),
  ]
}

/** Where steps are, and whether there is a client, the default place of steps. */
export interface StepsPlace {
  readonly key: string
  readonly hasClient: boolean
  readonly file: YamlFile
}

/** The same for the steps under a key of a file. */
export function checkSteps(steps: readonly unknown[], { key, hasClient, file }: StepsPlace): Problem[] {
  return [
    ...steps.flatMap((step, index) => checkActionCount(mapping(step), [key, index], file)),
    ...steps.flatMap((step, index) => checkBraces(mapping(step), [key, index], file)),
    ...steps.flatMap((step, index) => checkStep(step, hasClient, [key, index], file)),
    ...checkLoads(
      steps.flatMap((step, index) => {
        const given = wellFormed(step)
        return given === undefined ? [] : [{ given, path: [key, index] }]
      }),
      file,
    ),
  ]
}

/** Nodes and clients share the fabric and their names name network namespaces. */
function checkNames(lab: Mapping, file: YamlFile): Problem[] {
  const topology = mapping(lab.topology)
  const seen = new Map<string, string>()
  return ['nodes', 'clients'].flatMap((key) =>
    list(topology[key]).flatMap((entry, index) => {
      const name = typeof entry === 'string' ? entry : mapping(entry).name
      if (typeof name !== 'string') return []
      const before = seen.get(name)
      const what = key === 'nodes' ? 'node' : 'client'
      seen.set(name, before ?? what)
      if (before === undefined) return []
      const path = typeof entry === 'string' ? ['topology', key, index] : ['topology', key, index, 'name']
      const message =
        before === what ? `there are two ${key} named "${name}"` : `client "${name}" has the name of a node`
      return [{ message, at: file.at(path) }]
    }),
  )
}

/** Regular expressions use braces themselves, and a step's name is only shown. */
const withoutNames = new Set(['name', 'matches'])

function checkBraces(value: unknown, path: Path, file: YamlFile): Problem[] {
  if (typeof value === 'string') {
    const pieces = splitBraces(value)
    return isBraceProblem(pieces)
      ? [{ message: `${pieces.problem}${inside(path)}`, hint: pieces.hint, at: file.at(path) }]
      : []
  }
  if (Array.isArray(value)) return value.flatMap((entry, index) => checkBraces(entry, [...path, index], file))
  return Object.entries(mapping(value)).flatMap(([key, inner]) =>
    withoutNames.has(key) ? [] : checkBraces(inner, [...path, key], file),
  )
}

/** Checks a well-formed step: its expectations must apply to its action. */
function checkStep(raw: unknown, hasClient: boolean, path: Path, file: YamlFile): Problem[] {
  const given = wellFormed(raw)
  if (given === undefined) return []
  const { action } = toStep(given, path)
  const problems = [...checkFields(given, path, file), ...checkExpectations(given, path, file)]
  if ((isRequest(action) || action.kind === 'load') && given.from === undefined && !hasClient) {
    problems.push({
      message: `"from" is missing${inside(path)}`,
      at: file.at(path),
      hint: 'the lab has no client that could act',
    })
  }
  if (action.kind === 'curl' && !action.url.includes('{')) {
    const problem = urlProblem(action.url)
    const where = typeof given.curl === 'string' ? [...path, 'curl'] : [...path, 'curl', 'url']
    if (problem) problems.push({ message: `${subject(where)} ${problem}`, at: file.at(where) })
  }
  return problems
}

/** A step that the schema allows, with one action. */
function wellFormed(raw: unknown): StepFile | undefined {
  const parsed = stepSchema.safeParse(raw, { jitless: true })
  if (!parsed.success) return undefined
  return actionKeys.filter((key) => parsed.data[key] !== undefined).length === 1 ? parsed.data : undefined
}

function checkExpectations(given: StepFile, path: Path, file: YamlFile): Problem[] {
  const step = toStep(given, path)
  return Object.entries(given.expect ?? {}).flatMap(([key, value]) => {
    const kind = kindOf(key)
    if (kind === undefined || value === undefined) return []
    const at = () => file.keyAt([...path, 'expect', key])
    if (!kind.actions.includes(step.action.kind)) {
      const message = `"${key}"${inside([...path, 'expect'])} does not apply to a ${step.action.kind}`
      return [{ message, at: at(), hint: `it applies to ${kind.actions.join(', ')}` }]
    }
    const refusal = kind.refuse(value, { ...step, repeat: requestsOf(step) })
    return refusal ? [{ message: `${refusal.message}${inside(path)}`, hint: refusal.hint, at: at() }] : []
  })
}

type Mapping = Readonly<Record<string, unknown>>

function mapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
