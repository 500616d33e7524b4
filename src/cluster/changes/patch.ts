import { InputError } from '../../errors.js'
import { canonicalJson } from '../hash.js'
import { kindOf } from '../kinds/index.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { readObject } from '../manifests/readObject.js'
import { isObject } from '../schema/decode.js'
import type { KubeObject, Service } from '../types.js'
import type { Json } from '../yaml/toValue.js'
import { withoutFieldsOfOldType } from './serviceFields.js'

/** Applies a JSON merge patch (RFC 7396) to an object and validates the result. Throws InputError. */
export function patchedObject(object: KubeObject, patch: unknown): LocatedObject {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new InputError([{ message: 'a patch is a mapping of fields', hint: '{spec: {type: NodePort}}' }])
  return rewritten(object, mergePatch(plainObject(object), patch as Json) as { [key: string]: Json })
}

/** The fields of an object that users write. */
export function plainObject(object: KubeObject): { [key: string]: Json } {
  const { metadata, status: _status, ...fields } = object as KubeObject & { status?: unknown }
  const { name, namespace, labels, annotations } = metadata
  // undefined values are absent fields
  const plain = JSON.stringify({ ...fields, metadata: { name, namespace, labels, annotations } })
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
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata
  const value = object.kind === 'Service' ? patchedService(object as Service, written) : written
  const at = (path: readonly (string | number)[]) => manifest?.at(path) ?? { file: '', line: 1, column: 1 }
  const { located, problems } = readObject(
    { file: manifest?.file ?? '', value, at, keyAt: at },
    kindOf(object.kind),
  )
  if (problems.length > 0 || located === undefined)
    throw new InputError(
      problems.map(({ message, hint, at }) => ({ message, hint, ...(manifest === undefined ? {} : { at }) })),
    )
  const { metadata } = located.object
  if (metadata.name !== kept.name || (metadata.namespace ?? 'default') !== (kept.namespace ?? 'default'))
    throw new InputError([{ message: 'a patch cannot give an object another name or namespace' }])
  return { ...located, object: { ...located.object, metadata: { ...kept, ...metadata } } }
}

// An invalid spec is reported when the object is read.
function patchedService({ spec }: Service, merged: { [key: string]: Json }): { [key: string]: Json } {
  const patched = merged['spec']
  if (!isObject(patched)) return merged
  const { clusterIPs, ...rest } = withoutFieldsOfOldType(spec, patched) as { [key: string]: Json }
  // A changed clusterIP stands for all addresses (NormalizeClusterIPs).
  const isKept =
    patched['clusterIP'] === spec.clusterIP || canonicalJson(clusterIPs) !== canonicalJson(spec.clusterIPs)
  return { ...merged, spec: isKept && clusterIPs !== undefined ? { ...rest, clusterIPs } : rest }
}

function mergePatch(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {}
  const merged = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key] ?? null, value)
  }
  return merged
}
