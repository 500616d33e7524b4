import { withUniqueOwners } from './ownerReferences.js'
import type { KubeObject, ManagedFields, ObjectMeta } from '../../cluster/types.js'
import { badRequest, StatusError } from '../status.js'
import { mediaTypeOf } from './mediaType.js'
import { defaulted } from './fields/defaulted.js'
import { managersAfterUpdate } from './fields/managers.js'
import { requireOwnUid, requireSame } from './preconditions.js'
import type { JsonObject } from '../../cluster/yaml/json.js'
import { decodeObject, duplicateFields } from './readBody.js'
import { writerOf, type Decision, type WriteRequest } from './writeRequest.js'

/** A create; also what server-side apply does with an object that does not exist. */
export function create(
  request: WriteRequest,
  written: JsonObject,
  managedFields?: readonly ManagedFields[],
): Decision {
  const { resource, options, namespace = 'default' } = request
  const decoded = decodeObject(written, resource, options, duplicatesOf(request))
  const { object, warnings } = withUniqueOwners(decoded.object)
  const { metadata } = object
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '')
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created', {})
  if (resource.namespaced && (metadata.namespace || namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  const placed = resource.namespaced ? { ...metadata, namespace } : metadata
  const managers =
    managedFields ??
    managersAfterUpdate([], undefined, defaulted(resource, object), writerOf(request, 'Update'))
  const named: KubeObject = {
    ...object,
    metadata: { ...withoutSystemFields(placed), managedFields: [...managers] },
  }
  return { write: { verb: 'create', object: named }, code: 201, warnings: [...decoded.warnings, ...warnings] }
}

/** The fields that the body has twice; patches are not objects of the kind. */
function duplicatesOf({ method, body, contentType }: WriteRequest): string[] {
  return method === 'PATCH' ? [] : duplicateFields(body, mediaTypeOf(contentType))
}

/** What a client writes in these fields of a new object is ignored (WipeObjectMetaSystemFields). */
function withoutSystemFields(metadata: ObjectMeta): ObjectMeta {
  const { creationTimestamp: _time, uid: _uid, deletionTimestamp: _end, ...own } = metadata
  const { deletionGracePeriodSeconds: _seconds, ...kept } = own
  return kept
}

/** An update of an object with all its new fields. */
export function update(
  current: KubeObject,
  written: JsonObject,
  request: WriteRequest,
  managedFields?: readonly ManagedFields[],
): Decision {
  const { resource, subresource, options } = request
  const isStatus = subresource === 'status'
  const fields = isStatus ? written : withoutStatus(written)
  const decoded = decodeObject(fields, resource, options, duplicatesOf(request))
  const { object, warnings } = withUniqueOwners(decoded.object)
  // a uid is a precondition of what replaces the object, and a field of what patches it
  if (request.method === 'PATCH') requireOwnUid(resource, current, object)
  requireSame(resource, current, object)
  const { metadata } = object
  const before = current as unknown as JsonObject
  const managers =
    managedFields ??
    managersAfterUpdate(
      metadata.managedFields ?? current.metadata.managedFields ?? [],
      before,
      isStatus ? written : defaulted(resource, object),
      writerOf(request, 'Update'),
    )
  const next: KubeObject = {
    ...object,
    metadata: {
      ...(isStatus ? current.metadata : metadata),
      name: current.metadata.name,
      ...(current.metadata.namespace === undefined ? {} : { namespace: current.metadata.namespace }),
      managedFields: [...managers],
    },
  }
  return {
    write: { verb: isStatus ? 'updateStatus' : 'update', object: next },
    code: 200,
    warnings: [...decoded.warnings, ...warnings],
  }
}

function withoutStatus(object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object
  return rest
}
