import { methodNotAllowed } from '../status.js'
import type { Store } from '../store.js'
import { create, update } from './createOrUpdate.js'
import { decideDelete } from './decideDelete.js'
import { decidePatch } from './decidePatch.js'
import { decideScale } from './decideScale.js'
import { mediaTypeOf } from './mediaType.js'
import { readJsonObject } from './readBody.js'
import { currentObject, type Decision, type WriteRequest } from './writeRequest.js'

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
