import { InputError } from '../../errors.js'
import { endPods } from '../pods/endPods.js'
import type { Cluster, KubeObject, Pod } from '../types.js'
import { hasFinalizers, isWaitedFor, markedForDeletion, withMarked } from './finalizers.js'
import { findObject, type ObjectRef } from './findObject.js'
import { kinds, objectsOf, withObjects } from '../kinds/index.js'
import { lastingNamespaces } from '../kinds/namespace.js'

/** Kinds that are deleted together with their Namespace. */
const contents = kinds.filter(({ kind, namespaced }) => namespaced && kind !== 'Pod')

/**
 * Deletes an object. Pods are terminated within `graceSeconds`, if given. Controllers delete dependents at their next
 * run; objects of a Namespace are deleted at once. An object with finalizers is only marked. Throws InputError when the object does not exist.
 */
export function deleteObject(cluster: Cluster, ref: ObjectRef, graceSeconds: number | undefined): Cluster {
  if (graceSeconds !== undefined && !(Number.isInteger(graceSeconds) && graceSeconds >= 0))
    throw new InputError([{ message: `gracePeriodSeconds ${graceSeconds} is not a whole number from 0 up` }])
  const object = findObject(cluster, ref)
  const { kind, metadata } = object
  refuseLasting(kind, metadata.name)
  if (kind === 'Pod')
    return endPods(cluster, new Set(cluster.pods.filter((pod: Pod) => pod === object)), graceSeconds)
  if (kind === 'Namespace') {
    const emptied = withoutContents(cluster, metadata.name, graceSeconds)
    if (hasFinalizers(object) || isWaitedFor(emptied, metadata.name)) return withMarked(emptied, object)
    return withoutListed(emptied, object)
  }
  return hasFinalizers(object) ? withMarked(cluster, object) : withoutListed(cluster, object)
}

function withoutListed(cluster: Cluster, object: KubeObject): Cluster {
  const others = objectsOf(cluster, object.kind).filter((one) => one !== object)
  const next = withObjects(cluster, object.kind, others)
  return object.kind === 'Service' ? withoutEndpoints(next, object) : next
}

/** The endpoints controller deletes the Endpoints of a Service that is gone. */
function withoutEndpoints(cluster: Cluster, { metadata }: KubeObject): Cluster {
  const { endpoints = [] } = cluster
  const kept = endpoints.filter(
    ({ metadata: own }) => own.name !== metadata.name || own.namespace !== metadata.namespace,
  )
  return kept.length === endpoints.length ? cluster : { ...cluster, endpoints: kept }
}

function refuseLasting(kind: string, name: string): void {
  if (kind === 'Node')
    throw new InputError([
      {
        message: `nodes "${name}" cannot be deleted while a lab is up`,
        hint: `take it off the network: vethlab node LAB ${name} down`,
      },
    ])
  if (kind === 'Namespace' && lastingNamespaces.includes(name))
    throw new InputError([
      { message: `namespaces "${name}" is forbidden: this namespace may not be deleted` },
    ])
}

function withoutContents(cluster: Cluster, namespace: string, graceSeconds: number | undefined): Cluster {
  const isInside = ({ metadata }: KubeObject) => (metadata.namespace ?? 'default') === namespace
  const emptied = contents.reduce((next, { kind }) => {
    const kept = objectsOf(next, kind).filter((object) => !isInside(object) || hasFinalizers(object))
    return withObjects(
      next,
      kind,
      kept.map((object) => (isInside(object) ? markedForDeletion(object, next) : object)),
    )
  }, cluster)
  return endPods(emptied, new Set(emptied.pods.filter(isInside)), graceSeconds)
}
