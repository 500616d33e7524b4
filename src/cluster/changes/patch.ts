import { InputError } from '../../errors.js'
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
  const { metadata, ...fields } = object as KubeObject & { status?: unknown }
  const { name, namespace, labels, annotations } = metadata
  // undefined values are absent fields
  const plain = JSON.parse(
    JSON.stringify({ ...fields, metadata: { name, namespace, labels, annotations } }),
  ) as Json
  const merged = mergePatch(plain, patch as Json) as { [key: string]: Json }
  const value = object.kind === 'Service' ? patchedService(object as Service, merged) : merged
  const at = () => ({ file: '', line: 1, column: 1 })
  const { located, problems } = readObject({ file: '', value, at, keyAt: at }, kindOf(object.kind))
  if (problems.length > 0 || located === undefined)
    throw new InputError(problems.map(({ message, hint }) => ({ message, hint })))
  if (
    located.object.metadata.name !== name ||
    (located.object.metadata.namespace ?? 'default') !== (namespace ?? 'default')
  )
    throw new InputError([{ message: 'a patch cannot give an object another name or namespace' }])
  return { ...located, object: { ...located.object, metadata: { ...metadata, ...located.object.metadata } } }
}

// An invalid spec is reported when the object is read.
function patchedService({ spec }: Service, merged: { [key: string]: Json }): { [key: string]: Json } {
  const patched = merged['spec']
  if (!isObject(patched)) return merged
  return { ...merged, spec: withoutFieldsOfOldType(spec, patched) as { [key: string]: Json } }
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
