import { isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import { badRequest } from '../status.js'
import { update } from './createOrUpdate.js'
import { patched } from './decidePatch.js'
import { requireSame } from './preconditions.js'
import type { JsonObject } from '../../cluster/yaml/json.js'
import { mediaTypeOf } from './mediaType.js'
import { readJsonObject } from './readBody.js'
import { scaleOf } from './scale.js'
import type { Decision, WriteRequest } from './writeRequest.js'

/** Decides a write of the Scale of an object: an update of its replicas. */
export function decideScale(current: KubeObject, request: WriteRequest): Decision {
  const { method, body, contentType, resource } = request
  const scale =
    method === 'PATCH' ? patched(scaleOf(current), request) : readJsonObject(body, mediaTypeOf(contentType))
  const { spec, metadata } = scale
  const { replicas = 0 } = isObject(spec) ? spec : {}
  if (typeof replicas !== 'number')
    throw badRequest(
      'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal into Go struct field ScaleSpec.spec.replicas of type int32',
    )
  requireSame(resource, current, { ...current, metadata: metadata as unknown as KubeObject['metadata'] })
  const live = JSON.parse(JSON.stringify(current)) as JsonObject
  const decision = update(current, { ...live, spec: { ...(live['spec'] as JsonObject), replicas } }, request)
  return { ...decision, show: scaleOf }
}
