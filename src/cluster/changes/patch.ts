import { InputError, type Problem } from '../../errors.js'
import { kindOf, pluralOf } from '../kinds/index.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { problemsOf, readObject } from '../manifests/readObject.js'
import { isObject } from '../schema/decode.js'
import type { KubeObject, ObjectMeta } from '../types.js'
import { invalid, invalidObject, type FieldError } from '../validation/fieldErrors.js'
import type { Json } from '../yaml/json.js'
import { updatedObject } from './update.js'

/** Applies a JSON merge patch (RFC 7396) to an object and validates the result. Throws InputError. */
export function patchedObject(object: KubeObject, patch: unknown): LocatedObject {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new InputError([{ message: 'a patch is a mapping of fields', hint: '{spec: {type: NodePort}}' }])
  return patchedBy(object, (target) => mergePatch(target, patch as Json), patch)
}

/** Applies a patch of any format, and validates the result; `written` has the metadata that may not be another's. */
export function patchedBy(
  object: KubeObject,
  apply: (target: { [key: string]: Json }) => Json,
  written?: { readonly metadata?: unknown },
): LocatedObject {
  const value = apply(plainObject(object))
  if (!isObject(value)) throw new InputError([{ message: 'the patched value is not an object' }])
  refuseOtherIdentity(object, (written ?? value).metadata)
  return rewritten(object, value)
}

/** The fields of an object that users write. */
export function plainObject(object: KubeObject): { [key: string]: Json } {
  const { metadata, status: _status, ...fields } = object as KubeObject & { status?: unknown }
  const { name, namespace, labels, annotations, finalizers } = metadata
  // undefined values are absent fields
  const plain = JSON.stringify({ ...fields, metadata: { name, namespace, labels, annotations, finalizers } })
  return JSON.parse(plain) as { [key: string]: Json }
}

/**
 * The object with all its fields replaced, except those of its metadata that the cluster writes. Throws InputError, with
 * positions of the manifest if there is one.
 */
export function rewritten(
  object: KubeObject,
  written: { [key: string]: Json },
  manifest?: LocatedObject,
): LocatedObject {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...kept } = object.metadata
  const at = (path: readonly (string | number)[]) => manifest?.at(path) ?? { file: '', line: 1, column: 1 }
  const { located, problems } = readObject(
    { file: manifest?.file ?? '', value: written, at, keyAt: at },
    kindOf(object.kind),
    { patched: manifest === undefined },
  )
  const replaced = located && {
    ...located,
    object: { ...located.object, metadata: { ...kept, ...located.object.metadata } },
  }
  const changed = manifest === undefined ? changedDeletion(object.metadata, written['metadata']) : []
  if (problems.length > 0 || changed.length > 0 || replaced === undefined) {
    const own = replaced === undefined ? [] : problemsOf(replaced, changed)
    throw new InputError(
      [...own, ...withUpdateProblems(object, replaced, problems)].map(({ message, hint, at }) => ({
        message,
        hint,
        ...(manifest === undefined ? {} : { at }),
      })),
    )
  }
  return replaced
}

/** The API server reports the invalid fields of an update together with changes that it does not allow. */
function withUpdateProblems(
  before: KubeObject,
  located: LocatedObject | undefined,
  problems: readonly Problem[],
): readonly Problem[] {
  // the values of a Service are allocated before it is compared
  if (located === undefined || before.kind === 'Service') return problems
  const own = problemsOf(located, updatedObject(before, located.object).errors)
  return kindOf(before.kind).comparesFirst ? [...own, ...problems] : [...problems, ...own]
}

/** A patch may repeat what identifies the object, and not change it. */
function refuseOtherIdentity({ kind, metadata }: KubeObject, patched: unknown): void {
  if (!isObject(patched)) return
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const { uid, resourceVersion } = patched
  const where = metadata.namespace ?? ''
  const { name, namespace } = { name: metadata.name, namespace: where, ...patched }
  const problems = [
    name !== metadata.name &&
      `the name of the object (${text(name)}) does not match the name on the URL (${metadata.name})`,
    !['', where].includes(text(namespace)) &&
      `the namespace of the object (${text(namespace)}) does not match the namespace on the request (${where})`,
    (resourceVersion ?? metadata.resourceVersion) !== metadata.resourceVersion &&
      `Operation cannot be fulfilled on ${pluralOf(kind)} "${metadata.name}": the object has been modified; please apply your changes to the latest version and try again`,
    (uid ?? metadata.uid) !== metadata.uid &&
      invalidObject(kind, metadata.name, invalid(['metadata', 'uid'], uid, 'field is immutable')),
  ]
  const message = problems.find((problem) => problem !== false)
  if (message !== undefined) throw new InputError([{ message }])
}

/** Applies a JSON merge patch (RFC 7396). */
export function mergePatch(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {}
  const merged = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key] ?? null, value)
  }
  return merged
}

/**
 * Rejects an update that starts a deletion, or changes the grace period of one. Other changes of what the API server
 * writes are ignored: generation, creationTimestamp and the time of a deletion (BeforeUpdate, ValidateObjectMetaAccessorUpdate).
 */
function changedDeletion(before: ObjectMeta, metadata: Json | undefined): FieldError[] {
  const { deletionTimestamp = null, deletionGracePeriodSeconds = null } = isObject(metadata) ? metadata : {}
  const { deletionTimestamp: time, deletionGracePeriodSeconds: seconds } = before
  const immutable = 'field is immutable'
  const errors: FieldError[] = []
  if (time === undefined && typeof deletionTimestamp === 'string')
    errors.push(invalid(['metadata', 'deletionTimestamp'], inUtc(deletionTimestamp), immutable))
  if (typeof deletionGracePeriodSeconds === 'number' && deletionGracePeriodSeconds !== seconds)
    errors.push(invalid(['metadata', 'deletionGracePeriodSeconds'], deletionGracePeriodSeconds, immutable))
  return errors
}

/** A time as metav1.Time is written. */
function inUtc(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
