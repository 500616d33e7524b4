import type { KubeObject, OwnerReference } from '../../cluster/types.js'
import { parseListOptions } from '../listOptions.js'
import { apiVersionOf, resourceOf } from '../resources.js'
import { selection } from '../selection.js'
import { stamped, uidOf } from '../stamp.js'
import { StatusError } from '../status.js'
import type { Store } from '../store.js'
import { decideWrite } from './decideWrite.js'
import { deleteOptions } from './decideDelete.js'
import { conflict } from './writeErrors.js'
import type { Writer } from './writer.js'
import { writtenObject } from './writtenObject.js'
import type { WriteRequest } from './writeRequest.js'

/** The answer to a write. */
export interface Carried {
  readonly code: number
  /** The body of the answer: the object, or what the subresource or the deletion shows instead. */
  readonly value: unknown
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

// Each attempt is based on what another writer wrote: even many writers of one object make progress.
const attempts = 1000

/**
 * Evaluates a request against the store and writes the result; evaluates it again when another writer was faster
 * (GuaranteedUpdate of the API server's storage). Throws a StatusError.
 */
export async function carryOut(store: Store, writer: Writer, request: WriteRequest): Promise<Carried> {
  const { resource, namespace, name } = request
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = name === undefined ? undefined : store.get(resource, namespace, name)
    const { write, code, warnings, show = (object) => object } = decideWrite(store, request)
    const result = await writer.write(write)
    if ('stale' in result) continue
    if ('status' in result) throw StatusError.of(result.status)
    const shown = write.dryRun === true ? undefined : storedObject(store, request, result.object)
    const stored = shown ?? withStamp(result.object, before, request)
    const object = writtenObject(write, resource, result.object, stored, before)
    if (shown !== undefined && isOrphan(store, shown)) await collect(writer, request, shown)
    return { code, value: show(object), object, warnings: [...warnings, ...(result.warnings ?? [])] }
  }
  throw conflict(resource, name ?? '')
}

/**
 * Whether all owners of an object are gone: the name of each is that of no object, or of one with another uid. The controllers
 * of the lab know owners by name.
 */
function isOrphan(store: Store, { metadata }: KubeObject): boolean {
  const { ownerReferences = [], namespace, deletionTimestamp } = metadata
  const isAbsent = ({ apiVersion, kind, name, uid }: OwnerReference) => {
    const resource = resourceOf({ apiVersion, kind })
    return resource !== undefined && store.get(resource, namespace, name)?.metadata.uid !== uid
  }
  return deletionTimestamp === undefined && ownerReferences.length > 0 && ownerReferences.every(isAbsent)
}

/** Garbage collector: deletes an object in the background, unless another writer was faster. */
async function collect(writer: Writer, { resource }: WriteRequest, { metadata }: KubeObject): Promise<void> {
  const { name, namespace } = metadata
  await writer.write({ verb: 'delete', ref: { kind: resource.kind, namespace, name } })
}

function storedObject(store: Store, { resource }: WriteRequest, { metadata }: KubeObject) {
  return store.get(resource, metadata.namespace, metadata.name)
}

/** An object that the store does not show: of a dry run, or deleted. */
function withStamp(
  object: KubeObject,
  before: KubeObject | undefined,
  { resource, now }: WriteRequest,
): KubeObject {
  const { namespace, name } = object.metadata
  const { uid = uidOf(resource, `${namespace}/${name}/${now}`, 0), resourceVersion = '' } =
    before?.metadata ?? {}
  const { status } = { ...before, ...object } as { status?: unknown }
  const whole = status === undefined ? object : Object.assign({ ...object }, { status })
  const creationTimestamp = before?.metadata.creationTimestamp ?? now
  return stamped(whole, resource, { uid, resourceVersion, creationTimestamp })
}

/** Deletes the objects that the selectors of a request match, and returns their list. */
export async function deleteAll(store: Store, writer: Writer, request: WriteRequest): Promise<unknown> {
  const { resource, namespace, query } = request
  deleteOptions(request)
  const options = parseListOptions(query)
  const objects = store.list(resource).filter(selection(resource, namespace, options))
  const one = ({ metadata }: KubeObject): Promise<Carried | undefined> =>
    carryOut(store, writer, { ...request, name: metadata.name, namespace: metadata.namespace }).catch(
      (error: unknown) => {
        // Another writer was faster.
        if (error instanceof StatusError && error.status.code === 404) return undefined
        throw error
      },
    )
  const deleted = (await Promise.all(objects.map(one))).filter((carried) => carried !== undefined)
  return {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(store.resourceVersion) },
    items: deleted.map(({ object }) => object),
  }
}
