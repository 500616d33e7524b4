import type { Problem } from '../../errors.js'
import { generatedName } from '../hash.js'
import type { Kind } from '../kinds/kind.js'
import { positionText } from './locatedObject.js'
import type { LocatedObject } from './locatedObject.js'
import { decode, type DecodeProblem } from '../schema/decode.js'
import type { KubeObject, ObjectMeta } from '../types.js'
import { invalidObject, type FieldError } from '../validation/fieldErrors.js'
import type { Json } from '../yaml/json.js'
import type { YamlDocument } from '../yaml/documents.js'

/** A parsed object: its fields and their positions. */
export interface WrittenObject extends Pick<YamlDocument, 'at' | 'keyAt'> {
  readonly file: string
  readonly value: { [key: string]: Json }
}

/**
 * Decodes, defaults and validates one object of a known kind, as the API server does. In a patched object, unknown
 * fields are only warnings.
 */
export function readObject(
  written: WrittenObject,
  kind: Kind,
  {
    patched = false,
    namespace,
  }: { readonly patched?: boolean; readonly namespace?: string | undefined } = {},
): { located?: LocatedObject; problems: readonly Problem[] } {
  const decoded = decode(written.value, kind.schema)
  const refused = patched ? decoded.problems.filter(({ key }) => !key) : decoded.problems
  if (refused.length > 0) {
    const { apiVersion } = written.value
    const version = typeof apiVersion === 'string' ? apiVersion.replace(/^.*\//, '') : kind.version
    const prefix = patched
      ? `The request is invalid: patch: Invalid value: ${JSON.stringify(JSON.stringify(written.value))}: `
      : `${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: `
    return {
      problems: refused.map((problem) => ({
        message: prefix + problem.message,
        at: problem.key ? written.keyAt(problem.path) : written.at(problem.path),
        hint: hintOf(problem, written),
      })),
    }
  }
  // After decoding by the schema of its kind, an object has its type.
  const raw = decoded.value as unknown as KubeObject
  const object = kind.setDefaults({
    ...raw,
    metadata: ownMetadata(raw.metadata, kind.namespaced && (namespace ?? 'default'), () =>
      positionText(written.at([])),
    ),
  })
  const { ownerReferences = [], generateName = '' } = raw.metadata
  // An update keeps the prefix that the object was created with.
  const prefix = patched || generateName === '' ? {} : { generateName }
  const whole = { ...object, metadata: { ...object.metadata, ...prefix, ownerReferences } }
  const faults = kind.validateCreate(whole)
  const at: LocatedObject['at'] = (path) => written.at(path)
  const warnings = decoded.unknown
  const { file, value } = written
  const located = { object, file, at, written: value, faults, warnings }
  return { located, problems: problemsOf(located, kind.validate(whole)) }
}

/** The hints of all fields that a message names, and the positions of those after the first. */
function hintOf({ hint, others = [] }: DecodeProblem, written: WrittenObject): string | undefined {
  const hints = others.map(
    ({ path, hint }) =>
      `"${path.at(-1)}" is at ${positionText(written.keyAt(path))}${hint === undefined ? '' : `, ${hint}`}`,
  )
  return hint === undefined && hints.length === 0 ? undefined : [hint ?? [], hints].flat().join('; ')
}

/** Errors of an object with their positions; equal errors count once, as kubectl prints them. */
export function problemsOf(located: LocatedObject, errors: readonly FieldError[]): Problem[] {
  const { object, file } = located
  const isFirst = ({ message }: FieldError, index: number) =>
    errors.findIndex((error) => error.message === message) === index
  return errors.filter(isFirst).map((error) => ({
    message: invalidObject(object.kind, object.metadata.name, error),
    at: file === '' ? undefined : located.at(error.path),
    hint: error.hint,
  }))
}

/** The metadata that a manifest may set; the cluster writes owners, uid, deletionTimestamp and the rest. */
function ownMetadata(metadata: ObjectMeta, standard: string | false, place: () => string): ObjectMeta {
  const { generateName = '', namespace, labels, annotations, finalizers = [] } = metadata
  return {
    // A generated name like that of `kubectl create`, but the same in every run.
    name:
      metadata.name === '' && generateName !== ''
        ? generatedName(generateName.replace(/-$/, ''), place())
        : metadata.name,
    // A Node has no namespace, even when one is written.
    ...(standard === false
      ? {}
      : { namespace: namespace === undefined || namespace === '' ? standard : namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  }
}
