import { canonicalJson } from './hash.js'
import { objectKey, type LocatedObject } from './manifests/locatedObject.js'
import { isObject } from './schema/decode.js'
import type { KubeObject } from './types.js'
import { validateAnnotations } from './validation/metadata.js'
import type { Json, JsonObject } from './yaml/json.js'
import { parseJson } from './yaml/limits.js'

/** The annotation in which `kubectl apply` keeps the manifest. */
export const lastAppliedKey = 'kubectl.kubernetes.io/last-applied-configuration'

/** The manifests of objects, by key; the next apply removes the fields that only they have. */
export function appliedByKey(objects: readonly LocatedObject[]): ReadonlyMap<string, Json> {
  return new Map(objects.flatMap(({ object, written }) => (written ? [[objectKey(object), written]] : [])))
}

/** The manifest that kubectl has applied last; undefined when it has applied none. */
export function lastApplied({ metadata }: KubeObject): JsonObject | undefined {
  try {
    const value = parseJson(metadata.annotations?.[lastAppliedKey] ?? 'null')
    return isObject(value) ? value : undefined
  } catch {
    // The annotation is not from kubectl.
    return undefined
  }
}

/** A manifest in the form in which kubectl keeps it (GetModifiedConfiguration). */
export function keptForm(written: JsonObject, namespace: string | undefined): JsonObject {
  const { annotations, ...rest } = fieldsOf(written['metadata'])
  const { [lastAppliedKey]: _old, ...own } = fieldsOf(annotations)
  const placed = namespace === undefined ? rest : { ...rest, namespace }
  return { ...written, metadata: { ...placed, annotations: own } }
}

/** The fields of an object with the annotation for a manifest, unless it is too long. */
export function withLastApplied(fields: JsonObject, kept: JsonObject): JsonObject {
  const metadata = fieldsOf(fields['metadata'])
  const annotations = { ...fieldsOf(metadata['annotations']), [lastAppliedKey]: `${canonicalJson(kept)}\n` }
  if (validateAnnotations([], annotations).length > 0) return fields
  return { ...fields, metadata: { ...metadata, annotations } }
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
