import type { Kind } from '../../cluster/kinds/kind.js'
import type { KubeObject } from '../../cluster/types.js'
import { apiVersionOf } from '../resources.js'
import type { ResourceRoute } from '../route.js'
import { notFound } from '../status.js'
import type { Store } from '../store.js'
import type { Manager } from './fields/managers.js'
import type { ObjectWrite } from './objectWrite.js'
import type { WriteOptions } from './writeOptions.js'

/** A request that writes; its resource is a kind that the cluster stores. */
export interface WriteRequest extends Omit<ResourceRoute, 'resource' | 'to'> {
  readonly resource: Kind
  readonly method: string
  readonly query: URLSearchParams
  readonly contentType: string | undefined
  readonly body: Buffer
  readonly options: WriteOptions
  /** RFC 3339. */
  readonly now: string
}

/** What a request writes, and how it is answered. */
export interface Decision {
  readonly write: ObjectWrite
  readonly code: 200 | 201
  readonly warnings: readonly string[]
  /** The body of the answer; the object itself by default. */
  readonly show?: (object: KubeObject) => unknown
}

/** The object of a request; throws a 404 Status when it does not exist. */
export function currentObject(store: Store, { resource, namespace, name = '' }: WriteRequest): KubeObject {
  const object = store.get(resource, namespace, name)
  if (object === undefined) throw notFound(resource, name)
  return object
}

/** The manager of the fields that a request writes. */
export function writerOf(
  { resource, options, now, subresource }: WriteRequest,
  operation: Manager['operation'],
): Manager {
  const { fieldManager: manager } = options
  return { manager, operation, apiVersion: apiVersionOf(resource), time: now, subresource }
}
