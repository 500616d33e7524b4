import { InputError } from '../../errors.js'
import type { Problem } from '../../errors.js'
import { duplicateProblems, lastNamespaces } from './duplicates.js'
import { apiVersionsOf, kindOf } from '../kinds/index.js'
import type { LocatedObject } from './locatedObject.js'
import type { ManifestFile } from './manifestFile.js'
import { maxObjects, refuseTooLarge, tooManyObjects } from './manifestSize.js'
import { customKinds, toolInputProblem, templateProblem } from './sources.js'
import { networkEffect } from './otherKinds.js'
import { asClusterPolicy } from './replacedPolicies.js'
import { groupIn, unknownKind } from './unknownKind.js'
import { problemsOf, readObject } from './readObject.js'
import type { WrittenObject } from './readObject.js'
import { isObject } from '../schema/decode.js'
import { append } from '../validation/fieldErrors.js'
import { parseDocuments } from '../yaml/documents.js'
import type { YamlDocument } from '../yaml/documents.js'
import type { Json } from '../yaml/json.js'

export type { LocatedObject } from './locatedObject.js'

/** How manifests are read. */
export interface ReadOptions {
  readonly ignoreKinds?: ReadonlySet<string> | undefined
  /** The namespace of objects that name none; `default` by default. */
  readonly namespace?: string | undefined
}

/** The state of reading: all problems, and all kinds that were skipped. */
interface Reading {
  readonly objects: LocatedObject[]
  /** Number of objects found, including those that were not parsed. */
  found: number
  readonly problems: Problem[]
  /** The same, with the faults of objects that are created. */
  readonly allProblems: Problem[]
  readonly ignoreKinds: ReadonlySet<string>
  readonly namespace: string | undefined
  /** Kinds of CustomResourceDefinitions, as `group/Kind`. */
  readonly customKinds: Set<string>
  /** Objects of unknown kinds: a definition of them may follow. */
  readonly unknown: { readonly id: string; readonly kind: string; readonly problem: Problem }[]
  readonly withoutEffect: Set<string>
  readonly ignored: Set<string>
  /** Notices about kinds that are read as those that replaced them. */
  readonly replaced: Set<string>
}

/**
 * Parses Kubernetes YAML or JSON: several documents per file, `kind: List`, defaults, validation like that of the API
 * server. Throws InputError with all problems; notices list the kinds that were skipped. Faults that only a creation
 * reports stay with their objects, unless there are other problems.
 */
export function parseManifests(
  files: readonly ManifestFile[],
  options: ReadOptions = {},
): { objects: readonly LocatedObject[]; notices: readonly string[] } {
  refuseTooLarge(files)
  const reading = startReading(options)
  for (const file of files) readFile(file, reading)
  reportUnknown(reading)
  const objects = lastNamespaces(reading.objects)
  report(reading, duplicateProblems(objects))
  throwOnProblems(reading)
  return { objects, notices: noticesOf(reading) }
}

/** Throws InputError when objects have faults that a creation would report. */
export function throwOnFaults(objects: readonly LocatedObject[]): void {
  const problems = objects.flatMap((located) => problemsOf(located, located.faults ?? []))
  if (problems.length > 0) throw new InputError(atMost(maxProblems, problems))
}

/** The same for objects embedded in another file; without notices. */
export function readManifests(
  written: readonly WrittenObject[],
  options: ReadOptions = {},
): readonly LocatedObject[] {
  const reading = startReading(options)
  for (const one of written) readWritten(one, reading)
  reportUnknown(reading)
  throwOnProblems(reading)
  return reading.objects
}

function report(reading: Reading, problems: readonly Problem[]): void {
  append(reading.problems, problems)
  append(reading.allProblems, problems)
}

function throwOnProblems({ problems, allProblems }: Reading): void {
  if (problems.length > 0) throw new InputError(atMost(maxProblems, allProblems))
}

function startReading({ ignoreKinds = new Set(), namespace }: ReadOptions): Reading {
  const kindSets = { ignoreKinds, withoutEffect: new Set<string>(), ignored: new Set<string>() }
  const replaced = new Set<string>()
  const custom = { customKinds: new Set<string>(), unknown: [] }
  return { objects: [], found: 0, problems: [], allProblems: [], namespace, replaced, ...kindSets, ...custom }
}

/** Custom resources have no effect; without a definition, their kind is an error. */
function reportUnknown(reading: Reading): void {
  for (const { id, kind, problem } of reading.unknown)
    if (reading.customKinds.has(id)) reading.withoutEffect.add(`${kind} (custom resource)`)
    else report(reading, [problem])
}

function readFile(file: ManifestFile, reading: Reading): void {
  const { documents, problems } = parseDocuments(file.path, file.text)
  const from = [reading.problems.length, reading.allProblems.length] as const
  report(reading, problems)
  if (documents.length === 0 && problems.length === 0)
    report(reading, [
      {
        message: 'no Kubernetes object in this file',
        at: { file: file.path, line: 1, column: 1 },
        hint: 'it is empty, or holds comments only',
      },
    ])
  for (const document of documents) readDocument(document, file.path, reading)
  const template = templateProblem(file, reading.problems.slice(from[0]), reading.allProblems.slice(from[1]))
  if (template === undefined) return
  reading.problems.splice(from[0], Infinity, template)
  reading.allProblems.splice(from[1], Infinity, template)
}

function readDocument(document: YamlDocument, file: string, reading: Reading): void {
  const { value } = document
  if (!isObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    report(reading, [
      {
        message: `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
        at: document.at([]),
        hint: 'a manifest is a mapping with apiVersion, kind and metadata',
      },
    ])
    return
  }
  readWritten(
    { file, value, at: (path) => document.at(path), keyAt: (path) => document.keyAt(path) },
    reading,
  )
}

function readWritten(written: WrittenObject, reading: Reading): void {
  const { apiVersion, kind } = written.value
  const toolInput = toolInputProblem(written)
  if (toolInput !== undefined) {
    report(reading, [toolInput])
    return
  }
  const untyped = typeProblems({ apiVersion, kind })
  if (untyped.length > 0) {
    const list = untyped.length === 1 ? untyped.join() : `[${untyped.join(', ')}]`
    const message = `error validating "${written.file}": error validating data: ${list}; if you choose to ignore these errors, turn validation off with --validate=false`
    report(reading, [{ message, at: written.at([]), hint: untyped.length < 2 ? undefined : notManifest }])
  } else if (typeof kind !== 'string' || kind === '' || typeof apiVersion !== 'string' || apiVersion === '') {
    const missing = kind === '' ? 'Kind' : 'apiVersion'
    report(reading, [
      {
        message: `Object '${missing}' is missing in '${excerpt(written.value)}'`,
        at: written.at([missing === 'Kind' ? 'kind' : 'apiVersion']),
      },
    ])
  } else if (kind.endsWith('List') && (kind === 'List' || Array.isArray(written.value['items']))) {
    readItems(written, reading)
  } else readKind(written, apiVersion, kind, reading)
}

const notManifest =
  'a manifest has apiVersion and kind; values of Helm and patches of kustomize are not manifests: render them first'

/** What kubectl finds wrong with the type of an object before it sends it (getObjectKind). */
function typeProblems(type: Readonly<Record<string, Json | undefined>>): string[] {
  return Object.entries(type).flatMap(([field, value]) => {
    if (value === undefined || value === null) return [`${field} not set`]
    return typeof value === 'string' ? [] : [`${field} isn't string type`]
  })
}

function readItems(written: WrittenObject, reading: Reading): void {
  const items = written.value['items'] ?? []
  // before any of them is validated
  if (Array.isArray(items)) reading.found += items.length
  if (reading.found > maxObjects)
    throw new InputError([{ message: tooManyObjects, at: written.at(['items']) }])
  for (const [index, value] of Array.isArray(items) ? items.entries() : []) {
    const at: WrittenObject['at'] = (path) => written.at(['items', index, ...path])
    if (isObject(value))
      readWritten(
        { file: written.file, value, at, keyAt: (path) => written.keyAt(['items', index, ...path]) },
        reading,
      )
    else report(reading, [{ message: `items[${index}] of a List is not an object`, at: at([]) }])
  }
  if (!Array.isArray(items))
    report(reading, [{ message: 'items of a List must be a list', at: written.at(['items']) }])
}

function readKind(written: WrittenObject, apiVersion: string, kind: string, reading: Reading): void {
  const group = groupIn(apiVersion)
  if (reading.ignoreKinds.has(kind) || reading.ignoreKinds.has(`${kind}.${group}`)) {
    reading.ignored.add(kind)
    return
  }
  if (apiVersionsOf(kind).includes(apiVersion)) {
    const { located, problems } = readObject(written, kindOf(kind), { namespace: reading.namespace })
    report(reading, problems)
    if (located === undefined) return
    append(reading.allProblems, problemsOf(located, located.faults ?? []))
    reading.objects.push(located)
    return
  }
  const replacement = asClusterPolicy(written)
  if (replacement !== undefined) {
    reading.replaced.add(replacement.notice)
    readWritten(replacement.written, reading)
    return
  }
  const bearing = networkEffect(apiVersion, kind)
  if (kind === 'CustomResourceDefinition') for (const id of customKinds(written)) reading.customKinds.add(id)
  if (bearing === 'none') reading.withoutEffect.add(kind)
  else if (bearing === 'not-built')
    report(reading, [
      {
        message: `${kind} (${apiVersion}) is not supported yet, and would change the network`,
        at: written.at(['kind']),
        hint: `\`--ignore ${kind}\` skips it`,
      },
    ])
  else
    reading.unknown.push({
      id: `${group}/${kind}`,
      kind,
      problem: unknownKind(written, apiVersion, kind),
    })
}

function excerpt(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

// More problems than this are of no use; a hostile file has millions.
const maxProblems = 200

function atMost(most: number, problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - most
  return more <= 0 ? problems : [...problems.slice(0, most), { message: `and ${more} more problems` }]
}

function noticesOf(reading: Reading): string[] {
  const notices = [...reading.replaced]
  const list = (kindNames: ReadonlySet<string>): string => [...kindNames].sort().join(', ')
  if (reading.withoutEffect.size > 0)
    notices.push(`skipped, no effect on the network: ${list(reading.withoutEffect)}`)
  if (reading.ignored.size > 0) notices.push(`skipped on request: ${list(reading.ignored)}`)
  return notices
}
