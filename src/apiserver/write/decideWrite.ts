import { methodNotAllowed, badRequest } from '../status.js'
import type { Store } from '../store.js'
import { create, update } from './createOrUpdate.js'
import { decideDelete } from './decideDelete.js'
import { decidePatch, patched } from './decidePatch.js'
import { mediaTypeOf } from './mediaType.js'
import { readJsonObject } from './readBody.js'
import { currentObject, type Decision, type WriteRequest } from './writeRequest.js'
import { isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import { requireSame } from './preconditions.js'
import type { JsonObject } from '../../cluster/yaml/json.js'
import { scaleOf } from './scale.js'

/** Evaluates a request against the objects of the store; throws a StatusError. Deletions of lists are not decided here. */
export function decideWrite(store: Store, request: WriteRequest): Decision {
  const { method, name, subresource } = request
  const decision = decided(store, request, `${method} ${subresource ?? (name === undefined ? 'list' : '')}`)
  const dryRun = request.options.dryRun || decision.write.dryRun === true
  return { ...decision, write: { ...decision.write, dryRun } }
}

function decided(store: Store, request: WriteRequest, what: string): Decision {
  switch (what) {
    case 'POST list':
      return create(request, readJsonObject(request.body, mediaTypeOf(request.contentType)))
    case 'PUT ':
    case 'PUT status':
      return update(
        currentObject(store, request),
        readJsonObject(request.body, mediaTypeOf(request.contentType)),
        request,
      )
    case 'PATCH ':
    case 'PATCH status':
      return decidePatch(store, request)
    case 'PUT scale':
    case 'PATCH scale':
      return decideScale(currentObject(store, request), request)
    case 'DELETE ':
    case 'POST eviction':
      return decideDelete(store, request)
    default:
      throw methodNotAllowed()
  }
}

/** Decides a write of the Scale of an object: an update of its replicas. */
function decideScale(current: KubeObject, request: WriteRequest): Decision {
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
