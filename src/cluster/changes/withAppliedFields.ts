import { keptForm, lastApplied, withLastApplied } from '../applied.js'
import { sameJson } from '../hash.js'
import { kindOf } from '../kinds/index.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { isObject } from '../schema/decode.js'
import type { KubeObject, ObjectMeta } from '../types.js'
import type { Json } from '../yaml/json.js'
import { plainObject, rewritten } from './patch.js'
import { threeWayMerge } from './threeWayMerge.js'

/**
 * The existing object with the fields of a manifest, without those that only the last applied manifest had: that of
 * kubectl's annotation, or `first`, with which the lab started. The annotation then has the new manifest. Throws InputError.
 */
export function withAppliedFields(
  existing: KubeObject,
  located: LocatedObject,
  first: Json | undefined,
): LocatedObject {
  const { object, written = plainObject(object) } = located
  const { namespace } = object.metadata
  const kept = keptForm(written, namespace)
  const last = lastApplied(existing) ?? (isObject(first) ? keptForm(first, namespace) : undefined)
  const versions = { last, live: plainObject(existing), written: kept }
  const merged = threeWayMerge(versions, kindOf(object.kind).schema)
  return rewritten(existing, sameJson(kept, last) ? merged : withLastApplied(merged, kept), located)
}

/** A new object with kubectl's annotation for its manifest. */
export function withManifest(located: LocatedObject): LocatedObject {
  const { object, written = plainObject(object) } = located
  const { metadata } = object
  const noted = withLastApplied(written, keptForm(written, metadata.namespace))
  const { annotations = {} } = noted['metadata'] as Pick<ObjectMeta, 'annotations'>
  return { ...located, object: { ...object, metadata: { ...metadata, annotations } }, written: noted }
}
