import { keptForm, lastApplied, withLastApplied } from '../applied.js'
import { sameJson } from '../hash.js'
import { kindOf } from '../kinds/index.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { isObject } from '../schema/decode.js'
import type { KubeObject } from '../types.js'
import type { Json } from '../yaml/json.js'
import { plainObject, rewritten } from './patch.js'
import { threeWayMerge } from './threeWayMerge.js'

/** The template annotation that `kubectl rollout restart` sets. */
export const restartedAtKey = 'kubectl.kubernetes.io/restartedAt'

/**
 * The existing object with the fields of a manifest, without those that only the last applied manifest had: that of
 * kubectl's annotation, which is then kept up to date, or `last`. Throws InputError.
 */
export function withAppliedFields(
  existing: KubeObject,
  located: LocatedObject,
  last: Json | undefined,
): LocatedObject {
  const { object, written = plainObject(object) } = located
  const live = plainObject(existing)
  const { schema } = kindOf(object.kind)
  const noted = lastApplied(existing)
  if (noted === undefined)
    return rewritten(
      existing,
      threeWayMerge({ last: isObject(last) ? last : undefined, live, written }, schema),
      located,
    )
  const kept = keptForm(written, object.metadata.namespace)
  const merged = threeWayMerge({ last: noted, live, written: kept }, schema)
  const isNoted = sameJson(kept, noted)
  return rewritten(existing, isNoted ? merged : withLastApplied(merged, kept), located)
}
