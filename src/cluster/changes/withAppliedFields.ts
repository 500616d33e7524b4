import { kindOf } from '../kinds/index.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { isObject } from '../schema/decode.js'
import type { KubeObject } from '../types.js'
import type { Json } from '../yaml/toValue.js'
import { plainObject, rewritten } from './patch.js'
import { threeWayMerge } from './threeWayMerge.js'

/** The template annotation that `kubectl rollout restart` sets. */
export const restartedAtKey = 'kubectl.kubernetes.io/restartedAt'

/**
 * The existing object with the fields of a manifest, without those that only the last applied manifest had. Throws
 * InputError.
 */
export function withAppliedFields(
  existing: KubeObject,
  located: LocatedObject,
  last: Json | undefined,
): LocatedObject {
  const { object, written = plainObject(object) } = located
  const versions = { last: isObject(last) ? last : undefined, live: plainObject(existing), written }
  const merged = threeWayMerge(versions, kindOf(object.kind).schema)
  return rewritten(existing, merged, located)
}
