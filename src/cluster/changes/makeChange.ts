import { InputError } from '../../errors.js'
import type { ClusterOptions } from '../cluster.js'
import { refuseOverLimits } from '../limits.js'
import type { Cluster, KubeObject } from '../types.js'
import { atLeast, invalid, invalidObject, type FieldError } from '../validation/fieldErrors.js'
import { validateAnnotations, validateLabels } from '../validation/metadata.js'
import { applyObjects, withUpdated } from './apply.js'
import { deleteObjects } from './deleteObjects.js'
import { findObject, replaceObject } from './findObject.js'
import { printedName, singularOf } from '../kinds/index.js'
import { restartedAtKey } from './withAppliedFields.js'
import { patchedObject } from './patch.js'
import type { Change, ObjectRef } from './types.js'
import { withGeneration } from './update.js'

/** A snapshot after a change, before the controllers run, and the output of kubectl. */
export interface ChangeMade {
  readonly cluster: Cluster
  readonly said: readonly string[]
}

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/**
 * Makes a change in a live cluster; pure. Returns the same snapshot when nothing changes. Throws InputError with the
 * message of the API server. `now` is the time of the change (RFC 3339).
 */
export function makeChange(
  before: Cluster,
  change: Change,
  options: ClusterOptions & { readonly now: string },
): ChangeMade {
  const cluster = { ...before, now: options.now }
  const made = changed(cluster, change, options)
  if (made.cluster !== cluster && change.kind !== 'delete') refuseOverLimits(made.cluster)
  return made.cluster === cluster ? { ...made, cluster: before } : made
}

function changed(
  cluster: Cluster,
  change: Change,
  options: ClusterOptions & { readonly now: string },
): ChangeMade {
  switch (change.kind) {
    case 'apply':
      return applyObjects(cluster, change.objects, options)
    case 'delete':
      return deleteObjects(cluster, change.objects, change.gracePeriodSeconds)
    case 'scale':
      return scale(cluster, change)
    case 'label':
    case 'annotate':
      return setMetadata(cluster, change)
    case 'patch':
      return patch(cluster, change, options)
    case 'restart':
      return restart(cluster, change.object, options.now)
  }
}

const scalable = ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']

function scale(cluster: Cluster, { object: ref, replicas }: ChangeOf<'scale'>): ChangeMade {
  const before = findObject(cluster, ref)
  const { kind, metadata } = before
  if (!scalable.includes(kind))
    throw new InputError([
      {
        message: `${singularOf(kind)} "${metadata.name}" cannot be scaled`,
        hint: `these can: ${scalable.join(', ')}`,
      },
    ])
  throwOnErrors(before, atLeast(['spec', 'replicas'], replicas, 0))
  if (!Number.isInteger(replicas))
    throwOnErrors(before, [invalid(['spec', 'replicas'], replicas, 'must be a whole number')])
  const after = withSpec(before, { replicas })
  return { cluster: replaceObject(cluster, before, after), said: [`${printedName(before)} scaled`] }
}

function setMetadata(before: Cluster, { kind, objects, values }: ChangeOf<'label' | 'annotate'>): ChangeMade {
  const field = kind === 'label' ? 'labels' : 'annotations'
  const validate = kind === 'label' ? validateLabels : validateAnnotations
  const said: string[] = []
  const cluster = objects.reduce((next, ref) => {
    const object = findObject(next, ref)
    const merged = Object.entries({ ...object.metadata[field], ...values })
    const set = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null))
    throwOnErrors(object, validate(['metadata', field], set))
    said.push(`${printedName(object)} ${kind === 'label' ? 'labeled' : 'annotated'}`)
    return replaceObject(next, object, { ...object, metadata: { ...object.metadata, [field]: set } })
  }, before)
  return { cluster, said }
}

function patch(before: Cluster, change: ChangeOf<'patch'>, options: ClusterOptions): ChangeMade {
  const object = findObject(before, change.object)
  const patched = patchedObject(object, change.patch)
  const cluster = withUpdated(before, object, patched, options)
  const { warnings = [] } = patched
  return {
    cluster,
    said: [...warnings, `${printedName(object)} patched${cluster === before ? ' (no change)' : ''}`],
  }
}

const restartable = ['Deployment', 'StatefulSet', 'DaemonSet']

/** Changes an annotation of the template, so that new pods are created, like kubectl. */
function restart(cluster: Cluster, ref: ObjectRef, now: string): ChangeMade {
  const before = findObject(cluster, ref)
  const { kind, metadata } = before
  if (!restartable.includes(kind))
    throw new InputError([
      {
        message: `${singularOf(kind)} "${metadata.name}" cannot be restarted`,
        hint: `these can: ${restartable.join(', ')}`,
      },
    ])
  const { template } = (before as { spec?: { template: { metadata?: KubeObject['metadata'] } } }).spec ?? {}
  const annotations = { ...template?.metadata?.annotations, [restartedAtKey]: now }
  const after = withSpec(before, {
    template: { ...template, metadata: { ...template?.metadata, annotations } },
  })
  return { cluster: replaceObject(cluster, before, after), said: [`${printedName(before)} restarted`] }
}

function withSpec(object: KubeObject, fields: object): KubeObject {
  const { spec } = object as { spec?: object }
  return withGeneration(Object.assign({ ...object }, { spec: { ...spec, ...fields } }), object)
}

function throwOnErrors({ kind, metadata }: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  throw new InputError(
    errors.map((error) => ({ message: invalidObject(kind, metadata.name, error), hint: error.hint })),
  )
}
