import { isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import { groupOf, invalidOptions, type StatusError } from '../status.js'
import type { Resource } from '../resources.js'
import type { Store } from '../store.js'
import { requirePreconditions } from './preconditions.js'
import { mediaTypeOf, readJsonObject } from './readBody.js'
import { currentObject, type Decision, type WriteRequest } from './writeRequest.js'

/** Decides a deletion or an eviction: the options are in the body, or in the query. */
export function decideDelete(store: Store, request: WriteRequest): Decision {
  const { resource, subresource } = request
  const evicting = subresource === 'eviction'
  const options = evicting ? evictionOptions(request) : deleteOptions(request)
  const current = currentObject(store, request)
  const { uid, resourceVersion } = preconditionsOf(options)
  requirePreconditions(resource, current, { uid, resourceVersion })
  const { gracePeriodSeconds, propagationPolicy } = options
  const { name, namespace } = current.metadata
  return {
    write: {
      verb: evicting ? 'evict' : 'delete',
      ref: { kind: resource.kind, namespace, name },
      ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
      ...(typeof propagationPolicy === 'string' ? { propagationPolicy } : {}),
      guarded: uid !== undefined || resourceVersion !== undefined,
    },
    code: evicting ? 201 : 200,
    warnings: [],
    show: (object) => deletionAnswer(object, resource, evicting),
  }
}

/** A pod is answered while it terminates; the other objects are gone. */
function deletionAnswer(object: KubeObject, resource: Resource, evicting: boolean): unknown {
  if (!evicting && object.metadata.deletionTimestamp !== undefined) return object
  const { name, uid } = object.metadata
  const details = { name, ...groupOf(resource), kind: resource.plural, uid }
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
  return evicting ? { ...success, code: 201 } : { ...success, details }
}

/** DeleteOptions of the body or of the query. */
export function deleteOptions({ body, contentType, query }: WriteRequest): JsonObject {
  const written = body.length === 0 ? {} : readJsonObject(body, mediaTypeOf(contentType))
  const seconds = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  const options = {
    ...(seconds === null ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...written,
  }
  const { propagationPolicy: asked = null, gracePeriodSeconds: grace = null } = options as JsonObject
  if (asked !== null && !['Orphan', 'Background', 'Foreground'].includes(asked as string))
    throw invalidOption(
      'propagationPolicy',
      `Invalid value: ${JSON.stringify(asked)}: must be one of "Background", "Foreground", "Orphan"`,
    )
  if (grace !== null && !Number.isInteger(grace))
    throw invalidOption('gracePeriodSeconds', `Invalid value: ${JSON.stringify(grace)}: must be an integer`)
  return options
}

function evictionOptions(request: WriteRequest): JsonObject {
  const { deleteOptions: options = null } = readJsonObject(request.body, mediaTypeOf(request.contentType))
  return deleteOptions({
    ...request,
    body: Buffer.from(JSON.stringify(options ?? {})),
    contentType: undefined,
  })
}

function preconditionsOf({ preconditions = null }: { [key: string]: Json }) {
  const { uid, resourceVersion } = isObject(preconditions) ? preconditions : {}
  const text = (value: Json | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { uid: text(uid), resourceVersion: text(resourceVersion) }
}

function invalidOption(field: string, message: string): StatusError {
  const cause = { reason: 'FieldValueInvalid', message, field }
  return invalidOptions({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, [cause])
}
