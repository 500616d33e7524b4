import { ownCidr } from '../serviceCidr.js'
import { storedForm } from '../../cluster/changes/storedForm.js'
import { createdWarnings, updatedWarnings } from './writeWarnings.js'
import { deleteObject } from '../../cluster/changes/deleteObject.js'
import { withCreated, withUpdated } from '../../cluster/changes/withUpdated.js'
import { withFinalizer } from '../../cluster/changes/finalizers.js'
import { findObject, matchesRef, replaceObject, type ObjectRef } from '../../cluster/changes/findObject.js'
import { rewritten } from '../../cluster/changes/patch.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { foregroundDeletion } from '../../cluster/controllers/garbageCollector.js'
import { nameSuffix, sameJson } from '../../cluster/hash.js'
import { missingPriorityClass } from '../../cluster/pods/missingPriorityClass.js'
import { kindOf, kinds, objectsOf, singularOf, withObjects } from '../../cluster/kinds/index.js'
import type { Kind } from '../../cluster/kinds/kind.js'
import { refuseOverLimits } from '../../cluster/limits.js'
import { type LocatedObject } from '../../cluster/manifests/locatedObject.js'
import { problemsOf, readObject } from '../../cluster/manifests/readObject.js'
import { portClashes } from '../../cluster/portClashes.js'
import { withOwners } from '../../cluster/owners.js'
import { selectsPods } from '../../cluster/serviceType.js'
import type { Cluster, KubeObject, OwnerReference, Pod } from '../../cluster/types.js'
import type { Json } from '../../cluster/yaml/json.js'
import { InputError } from '../../errors.js'
import { ownService } from '../ownService.js'
import { StatusError } from '../status.js'
import { applied, patched } from './kubectlVerbs.js'
import type { ObjectWrite } from './objectWrite.js'
import { alreadyExists, forbidden } from './writeErrors.js'

/** Thrown when another write changed the object after the state that this one is based on. */
export class StaleWrite extends Error {}

/** A snapshot after writes of one edit, before the controllers run. */
export interface WritesMade {
  readonly cluster: Cluster
  /** The object of the last write, or what it has deleted. */
  readonly object: KubeObject | undefined
  /** The lines that kubectl prints. */
  readonly said: readonly string[]
  /** What the API server warns about. */
  readonly warnings: readonly string[]
}

type WriteMade = Pick<WritesMade, 'cluster'> & Partial<WritesMade>
type Written = Extract<ObjectWrite, { object: KubeObject }>
type Deleted = Extract<ObjectWrite, { verb: 'delete' }>

type Options = ClusterOptions & { readonly now: string; readonly seen?: Cluster | undefined }

/**
 * Makes writes in a live cluster, all or none; pure. Returns the same snapshot when nothing changes. `now` is their time (RFC 3339),
 * `seen` the snapshot that they are based on: an update fails with StaleWrite if the object has changed since. Throws InputError for a
 * write that is invalid, with the message of the API server, and StatusError for one that no verb of kubectl makes.
 */
export function makeWrites(before: Cluster, writes: readonly ObjectWrite[], options: Options): WritesMade {
  const start = { ...before, now: options.now }
  const clashes = portClashes(writes.flatMap((write) => (write.verb === 'apply' ? write.manifest : [])))
  if (clashes.length > 0) throw new InputError(clashes)
  let made: WriteMade = { cluster: start }
  const said: string[] = []
  const warnings: string[] = []
  for (const write of writes) {
    made = makeWrite(made.cluster, write, start, options)
    said.push(...(made.warnings ?? []).map((text) => `Warning: ${text}`), ...(made.said ?? []))
    warnings.push(...(made.warnings ?? []))
  }
  const { cluster, object } = made
  if (cluster !== start && writes.some(({ verb }) => verb !== 'delete')) refuseOverLimits(cluster)
  const changesNothing = cluster === start || writes.some(({ dryRun }) => dryRun)
  return { cluster: changesNothing ? before : cluster, object, said, warnings }
}

function makeWrite(cluster: Cluster, write: ObjectWrite, start: Cluster, options: Options): WriteMade {
  const overwritten = overwrittenWrite(cluster, write)
  if (overwritten !== undefined) return overwritten
  switch (write.verb) {
    case 'create':
      return created(cluster, write, options)
    case 'update':
    case 'updateStatus':
      return updated(cluster, write, options)
    case 'delete':
      return deleted(cluster, write, start, options)
    case 'apply':
      return applied(cluster, write.manifest, options)
    default:
      return patched(cluster, write, options)
  }
}

/**
 * A write of the Endpoints of a Service with a selector: it is accepted, as by every API server, and the endpoints controller
 * writes what it computes again, at once.
 */
function overwrittenWrite(cluster: Cluster, write: ObjectWrite): WriteMade | undefined {
  if (write.verb === 'create') return undefined
  const object = write.verb === 'apply' ? write.manifest.object : 'object' in write ? write.object : undefined
  const ref = 'ref' in write ? write.ref : object && { kind: object.kind, ...object.metadata }
  if (ref === undefined || !isComputed(cluster, ref) || find(cluster, ref) !== undefined) return undefined
  const { kind, namespace = 'default', name } = ref
  const done = { apply: 'configured', label: 'labeled', annotate: 'annotated' } as const
  const said =
    write.verb === 'delete'
      ? deletedText(ref)
      : `${singularOf(kind)}/${name} ${write.verb in done ? done[write.verb as keyof typeof done] : 'patched'}`
  const shown = object ?? { apiVersion: 'v1', kind, metadata: { namespace, name } }
  return { cluster, object: shown, said: [said] }
}

function created(cluster: Cluster, { object }: Written, options: Options): WriteMade {
  const kind = kindOf(object.kind)
  const { metadata } = object
  const name = metadata.name === '' ? unusedName(cluster, object) : metadata.name
  if (find(cluster, { kind: kind.kind, ...metadata, name }) !== undefined) throw alreadyExists(kind, name)
  const own = { ...metadata, kind: kind.kind, name }
  if (isOwn(own) || isComputed(cluster, own)) throw alreadyExists(kind, name)
  if (kind.namespaced) requireNamespace(cluster, metadata.namespace)
  if (kind.kind === 'Node') throw forbidden(kind, name, 'the nodes of a lab are those of its lab.yaml')
  if (kind.kind === 'Pod') requirePriorityClass(cluster, object as Pod)
  const at = () => ({ file: '', line: 1, column: 1 })
  // The object is JSON.
  const value = { ...object, metadata: { ...metadata, name } } as unknown as { [key: string]: Json }
  const { located, problems } = readObject({ file: '', value, at, keyAt: at }, kind)
  if (problems.length > 0 || located === undefined)
    throw new InputError([
      ...problems,
      ...(located === undefined ? [] : problemsOf(located, located.faults ?? [])),
    ])
  const kept = { ...metadata, ...located.object.metadata }
  const next = withCreated(cluster, { ...located, object: { ...located.object, metadata: kept } }, options)
  const stored = find(next, { kind: kind.kind, ...kept }) ?? located.object
  return { cluster: next, object: stored, warnings: createdWarnings(kind, located.object, stored) }
}

function updated(cluster: Cluster, { verb, object }: Written, options: Options): WriteMade {
  const kind = kindOf(object.kind)
  const ref = { kind: kind.kind, ...object.metadata }
  const existing = existingObject(cluster, ref, options.seen)
  const next =
    verb === 'update'
      ? withUpdated(cluster, existing, rewrittenObject(existing, object), options)
      : withStatus(cluster, existing, object, kind)
  const stored = find(next, ref) ?? existing
  const warnings =
    verb === 'update'
      ? updatedWarnings(kind, stored, existing)
      : kind.statusWarnings((object as { status?: unknown }).status).map(({ message }) => message)
  return { cluster: next, object: stored, warnings }
}

const withForeignStatus = ['Service', 'Ingress', 'PodDisruptionBudget']

/** The existing object with all fields that clients write replaced. */
function rewrittenObject(existing: KubeObject, object: KubeObject): LocatedObject {
  // The object is JSON.
  const located = rewritten(existing, object as unknown as { [key: string]: Json })
  const { managedFields: _managed, ...metadata } = located.object.metadata
  const { managedFields } = object.metadata
  const managed = managedFields === undefined ? metadata : { ...metadata, managedFields }
  const changed = { ...located.object, metadata: managed }
  return { ...located, object: withOwners(changed, writtenOwners(existing, object)) }
}

/** The owners of an update. Those that the controllers of the lab have set are stored without the uid that clients see. */
function writtenOwners({ metadata: before }: KubeObject, { metadata }: KubeObject): OwnerReference[] {
  return (metadata.ownerReferences ?? []).map((owner) => {
    const isSame = ({ apiVersion, kind, name }: OwnerReference) =>
      apiVersion === owner.apiVersion && kind === owner.kind && name === owner.name
    const known = before.ownerReferences?.find(isSame)
    if (known === undefined || known.uid !== undefined) return owner
    const { uid: _shown, ...stored } = owner
    return stored
  })
}

/** The kubelets and controllers of the lab write the status of the other kinds. */
function withStatus(cluster: Cluster, existing: KubeObject, object: KubeObject, kind: Kind): Cluster {
  const { status } = object as { status?: unknown }
  if (!withForeignStatus.includes(kind.kind))
    throw forbidden(kind, existing.metadata.name, 'the kubelets and controllers of the lab write its status')
  const after = Object.assign({ ...existing, metadata: object.metadata }, { status })
  const errors = kind.validate(after)
  if (errors.length > 0)
    throw new InputError(
      errors.map(({ message }) => ({
        message: `The ${kind.kind} "${existing.metadata.name}" is invalid: ${message}`,
      })),
    )
  const stored = storedForm(after)
  return sameJson(stored, existing) ? cluster : replaceObject(cluster, existing, stored)
}

function deleted(cluster: Cluster, write: Deleted, start: Cluster, { seen }: Options): WriteMade {
  const { ref, gracePeriodSeconds: grace } = write
  const said = [deletedText(ref)]
  const gone = find(cluster, ref) === undefined ? find(start, ref) : undefined
  // a Namespace that an earlier write deletes takes its objects with it
  if (gone !== undefined) return { cluster, object: gone, said }
  const existing = existingObject(cluster, ref, write.guarded ? seen : undefined)
  const orphaning = write.propagationPolicy === 'Orphan' ? withoutOwner(cluster, existing) : cluster
  // A negative grace period counts as one second.
  const seconds = grace !== undefined && grace < 0 ? 1 : grace
  const inForeground = write.propagationPolicy === 'Foreground' && ref.kind !== 'Pod'
  const held = inForeground
    ? replaceObject(orphaning, existing, withFinalizer(existing, foregroundDeletion))
    : orphaning
  const next = deleteObject(held, ref, seconds)
  return { cluster: next, object: find(next, ref) ?? existing, said }
}

// Messages of kubectl 1.34 and later.
function deletedText({ kind, namespace = 'default', name }: ObjectRef): string {
  const where = kindOf(kind).namespaced ? ` from ${namespace} namespace` : ''
  return `${singularOf(kind)} "${name}" deleted${where}`
}

function existingObject(cluster: Cluster, ref: ObjectRef, seen: Cluster | undefined): KubeObject {
  const kind = kindOf(ref.kind)
  if (find(cluster, ref) === undefined && isOwn(ref))
    throw forbidden(kind, ref.name, 'the API server of the lab keeps it for itself')
  const existing = findObject(cluster, ref)
  const known = seen && find(seen, ref)
  if (seen !== undefined && existing !== known && !isSame(existing, known)) throw new StaleWrite()
  return existing
}

/** Whether an object is one that the API server keeps for itself. */
function isOwn({ kind, namespace = 'default', name }: ObjectRef): boolean {
  if (kind === 'ServiceCIDR') return name === ownCidr
  const isOfKind = ['Service', 'EndpointSlice', 'Endpoints'].includes(kind)
  return isOfKind && namespace === ownService.namespace && name === ownService.name
}

/** Whether an object is shown, and not stored: the Endpoints of a Service with a selector, the IPAddress of a cluster IP. */
function isComputed({ services }: Cluster, { kind, namespace = 'default', name }: ObjectRef): boolean {
  if (kind === 'IPAddress') return services.some(({ spec: { clusterIPs = [] } }) => clusterIPs.includes(name))
  const service = services.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
  return kind === 'Endpoints' && service !== undefined && selectsPods(service)
}

/** Whether two versions of an object differ in their status at most. */
function isSame(object: object, other: object | undefined): boolean {
  const [one, two] = [object, other].map((version) => ({ ...version, status: undefined }))
  return sameJson(one, two)
}

function find(cluster: Cluster, ref: ObjectRef): KubeObject | undefined {
  return objectsOf(cluster, ref.kind).find((object) => matchesRef(object, ref))
}

/** The cluster in which an owner has left its dependents behind. */
function withoutOwner(cluster: Cluster, { kind: ownerKind, metadata: own }: KubeObject): Cluster {
  const orphaned = <Item extends KubeObject>(item: Item): Item => {
    const owners = item.metadata.ownerReferences ?? []
    const others = owners.filter(({ kind, name }) => kind !== ownerKind || name !== own.name)
    const isOutside = own.namespace !== undefined && own.namespace !== item.metadata.namespace
    return isOutside || others.length === owners.length ? item : withOwners(item, others)
  }
  const { controllerRevisions } = cluster
  return kinds.reduce(
    (next, { kind }) => {
      const objects = objectsOf(next, kind)
      const left = objects.map(orphaned)
      return left.every((item, index) => item === objects[index]) ? next : withObjects(next, kind, left)
    },
    controllerRevisions === undefined
      ? cluster
      : { ...cluster, controllerRevisions: controllerRevisions.map(orphaned) },
  )
}

function requireNamespace(cluster: Cluster, namespace = 'default'): void {
  const known = [...['default', 'kube-system'], ...cluster.namespaces.map(({ metadata }) => metadata.name)]
  if (known.includes(namespace)) return
  const details = { name: namespace, kind: 'namespaces' }
  throw new StatusError(404, 'NotFound', `namespaces "${namespace}" not found`, details)
}

/** Admission refuses a pod of an unknown class before its fields are validated (the plugin Priority). */
function requirePriorityClass(cluster: Cluster, { metadata, spec }: Pod): void {
  const why = missingPriorityClass(spec, cluster)
  if (why !== undefined)
    throw forbidden(kindOf('Pod'), metadata.name || metadata.generateName || 'Unknown', why)
}

/** A name with `generateName` that no object has. */
function unusedName(cluster: Cluster, object: KubeObject): string {
  const { generateName = '' } = object.metadata
  if (generateName === '') return ''
  for (let attempt = 0; ; attempt++) {
    const name = `${generateName.slice(0, 58)}${nameSuffix(`${cluster.now} ${attempt}`)}`
    if (find(cluster, { kind: object.kind, ...object.metadata, name }) === undefined) return name
  }
}
