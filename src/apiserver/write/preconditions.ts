import type { KubeObject } from '../../cluster/types.js'
import type { Resource } from '../resources.js'
import { badRequest, invalidOptions } from '../status.js'
import { conflict } from './writeErrors.js'

/** What a write may require of the object that it changes. */
export interface Preconditions {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

/** Throws a 409 Status if an object is not the required one, or has another version. */
export function requirePreconditions(
  resource: Resource,
  { metadata }: KubeObject,
  { uid = '', resourceVersion = '' }: Preconditions,
): void {
  const { name } = metadata
  if (uid !== '' && uid !== metadata.uid)
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    )
  if (resourceVersion !== '' && resourceVersion !== metadata.resourceVersion) throw conflict(resource, name)
}

/** Checks the metadata of an update: the name and namespace of the path, and its preconditions. */
export function requireSame(resource: Resource, current: KubeObject, { metadata }: KubeObject): void {
  const { name, namespace } = current.metadata
  if (metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  if (resource.namespaced && (metadata.namespace || namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  requirePreconditions(resource, current, metadata)
}

/** Throws a 422 Status if a patch gives an object another uid. */
export function requireOwnUid(
  { group, kind }: Resource,
  current: KubeObject,
  { metadata }: KubeObject,
): void {
  const { uid } = metadata
  if (uid === undefined || uid === current.metadata.uid) return
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`
  throw invalidOptions({ group, kind, name: current.metadata.name }, [
    { reason: 'FieldValueInvalid', message, field: 'metadata.uid' },
  ])
}
