import { createHash } from 'node:crypto'
import type { KubeObject, ObjectMeta } from '../cluster/types.js'
import type { Resource } from './resources.js'

/** The metadata that the server sets. */
export interface Stamp {
  readonly uid: string
  /** Empty for an object of a dry run, which no version of the store has. */
  readonly resourceVersion: string
  readonly creationTimestamp: string
}

/** The object as it is stored and served: with server metadata, and with fields in the order of the API server. */
export function stamped(object: KubeObject, resource: Resource, stamp: Stamp): KubeObject {
  const { kind, apiVersion, metadata, ...body } = object
  const { namespace = 'default', ...unscoped } = metadata
  const { name, generateName, generation, deletionTimestamp, labels, annotations } = unscoped
  const ordered: ObjectMeta = {
    name,
    ...(generateName === undefined ? {} : { generateName }),
    ...(resource.namespaced ? { namespace } : {}),
    uid: stamp.uid,
    ...(stamp.resourceVersion === '' ? {} : { resourceVersion: stamp.resourceVersion }),
    ...(generation === undefined ? {} : { generation }),
    creationTimestamp: stamp.creationTimestamp,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  // The first spread gives the order, the last one the values.
  return { kind, apiVersion, metadata: { ...ordered, ...unscoped, ...ordered }, ...body }
}

/** The same object with another resourceVersion. */
export function atVersion(object: KubeObject, resourceVersion: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(resourceVersion) } }
}

/** A UUID that depends only on the object's identity; `generation` counts the earlier objects of that name. */
export function uidOf(resource: Resource, key: string, generation: number): string {
  const hex = createHash('sha256')
    .update(`${resource.group}/${resource.kind}/${key}/${generation}`)
    .digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** A time in the format of metav1.Time: UTC, whole seconds. */
export function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
