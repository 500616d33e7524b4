import { InputError } from '../../errors.js'
import type { Problem } from '../../errors.js'
import { duplicateProblems } from './duplicates.js'
import { apiVersionsOf, kindOf, kinds } from '../kinds/index.js'
import type { LocatedObject } from './locatedObject.js'
import type { ManifestFile } from './manifestFile.js'
import { didYouMean } from '../../text/nearestName.js'
import { maxObjects, refuseTooLarge, tooManyObjects } from './manifestSize.js'
import { networkEffect, otherKindNames } from './otherKinds.js'
import { readObject } from './readObject.js'
import type { WrittenObject } from './readObject.js'
import { isObject } from '../schema/decode.js'
import { append } from '../validation/fieldErrors.js'
import { parseDocuments } from '../yaml/documents.js'
import type { YamlDocument } from '../yaml/documents.js'
import type { Json } from '../yaml/toValue.js'

export type { LocatedObject } from './locatedObject.js'

/** The state of reading: all problems, and all kinds that were skipped. */
interface Reading {
  readonly objects: LocatedObject[]
  /** Number of objects found, including those that were not parsed. */
  found: number
  readonly problems: Problem[]
  readonly ignoreKinds: ReadonlySet<string>
  readonly withoutEffect: Set<string>
  readonly ignored: Set<string>
}

/**
 * Parses Kubernetes YAML or JSON: several documents per file, `kind: List`, defaults, validation like that of the API
 * server. Throws InputError with all problems; notices list the kinds that were skipped.
 */
export function parseManifests(
  files: readonly ManifestFile[],
  options: { ignoreKinds?: ReadonlySet<string> } = {},
): { objects: readonly LocatedObject[]; notices: readonly string[] } {
  refuseTooLarge(files)
  const reading = startReading(options.ignoreKinds)
  for (const file of files) readFile(file, reading)
  append(reading.problems, duplicateProblems(reading.objects))
  if (reading.problems.length > 0)
    throw new InputError(atMost(maxProblems, inFileOrder(reading.problems, files)))
  return { objects: reading.objects, notices: noticesOf(reading) }
}

/** The same for objects embedded in another file; without notices. */
export function readManifests(
  written: readonly WrittenObject[],
  options: { ignoreKinds?: ReadonlySet<string> } = {},
): readonly LocatedObject[] {
  const reading = startReading(options.ignoreKinds)
  for (const one of written) readWritten(one, reading)
  if (reading.problems.length > 0) throw new InputError(atMost(maxProblems, reading.problems))
  return reading.objects
}

function startReading(ignoreKinds: ReadonlySet<string> = new Set()): Reading {
  return { objects: [], found: 0, problems: [], ignoreKinds, withoutEffect: new Set(), ignored: new Set() }
}

function readFile(file: ManifestFile, reading: Reading): void {
  const { documents, problems } = parseDocuments(file.path, file.text)
  append(reading.problems, problems)
  if (documents.length === 0 && problems.length === 0)
    reading.problems.push({
      message: 'no Kubernetes object in this file',
      at: { file: file.path, line: 1, column: 1 },
      hint: 'it is empty, or holds comments only',
    })
  for (const document of documents) readDocument(document, file.path, reading)
}

function readDocument(document: YamlDocument, file: string, reading: Reading): void {
  const { value } = document
  if (!isObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    reading.problems.push({
      message: `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
      at: document.at([]),
      hint: 'a manifest is a mapping with apiVersion, kind and metadata',
    })
    return
  }
  readWritten(
    { file, value, at: (path) => document.at(path), keyAt: (path) => document.keyAt(path) },
    reading,
  )
}

function readWritten(written: WrittenObject, reading: Reading): void {
  const { apiVersion, kind } = written.value
  if (typeof kind !== 'string' || kind === '' || typeof apiVersion !== 'string' || apiVersion === '') {
    const missing = typeof kind !== 'string' || kind === '' ? 'Kind' : 'apiVersion'
    reading.problems.push({
      message: `Object '${missing}' is missing in '${excerpt(written.value)}'`,
      at: written.at([missing === 'Kind' ? 'kind' : 'apiVersion']),
    })
  } else if (kind.endsWith('List') && (kind === 'List' || Array.isArray(written.value['items']))) {
    readItems(written, reading)
  } else readKind(written, apiVersion, kind, reading)
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
    else
      reading.problems.push({
        message: `items[${index}] of a List is not an object`,
        at: at([]),
      })
  }
  if (!Array.isArray(items))
    reading.problems.push({ message: 'items of a List must be a list', at: written.at(['items']) })
}

function readKind(written: WrittenObject, apiVersion: string, kind: string, reading: Reading): void {
  if (reading.ignoreKinds.has(kind)) {
    reading.ignored.add(kind)
    return
  }
  if (apiVersionsOf(kind).includes(apiVersion)) {
    const { located, problems } = readObject(written, kindOf(kind))
    append(reading.problems, problems)
    if (located !== undefined) reading.objects.push(located)
    return
  }
  const bearing = networkEffect(apiVersion, kind)
  if (bearing === 'none') reading.withoutEffect.add(kind)
  else if (bearing === 'not-built')
    reading.problems.push({
      message: `${kind} (${apiVersion}) is not supported yet, and would change the network`,
      at: written.at(['kind']),
      hint: `\`--ignore ${kind}\` skips it`,
    })
  else reading.problems.push(unknownKind(written, apiVersion, kind))
}

function unknownKind(written: WrittenObject, apiVersion: string, kind: string): Problem {
  const metadata = isObject(written.value['metadata']) ? written.value['metadata'] : {}
  const [name, namespace] = [metadata['name'], metadata['namespace']].map((text) =>
    typeof text === 'string' ? text : '',
  )
  const versions = apiVersionsOf(kind)
  const names = [...kinds.map((item) => item.kind), ...otherKindNames()]
  const hint = versions.length > 0 ? didYouMeanVersion(versions) : didYouMean(kind, names)
  return {
    message: `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${written.file}": no matches for kind "${kind}" in version "${apiVersion}"`,
    at: written.at([versions.length > 0 ? 'apiVersion' : 'kind']),
    hint: hint ?? `\`--ignore ${kind}\` skips it`,
  }
}

function didYouMeanVersion(versions: readonly string[]): string {
  return `did you mean "${versions.join('", "')}"?`
}

function excerpt(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

// By line only: two problems of one line keep the order of the API server.
function inFileOrder(problems: readonly Problem[], files: readonly ManifestFile[]): Problem[] {
  const order = new Map(files.map((file, index) => [file.path, index]))
  const rank = ({ at }: Problem): number => order.get(at?.file ?? '') ?? -1
  return [...problems].sort((a, b) => rank(a) - rank(b) || (a.at?.line ?? 0) - (b.at?.line ?? 0))
}

// More problems than this are of no use; a hostile file has millions.
const maxProblems = 200

function atMost(most: number, problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - most
  return more <= 0 ? problems : [...problems.slice(0, most), { message: `and ${more} more problems` }]
}

function noticesOf(reading: Reading): string[] {
  const notices: string[] = []
  const list = (kindNames: ReadonlySet<string>): string => [...kindNames].sort().join(', ')
  if (reading.withoutEffect.size > 0)
    notices.push(`skipped, no effect on the network: ${list(reading.withoutEffect)}`)
  if (reading.ignored.size > 0) notices.push(`skipped on request: ${list(reading.ignored)}`)
  return notices
}
