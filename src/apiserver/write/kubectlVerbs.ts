import { createdWarnings, updatedWarnings } from './writeWarnings.js'
import { findObject, matchesRef, refOf } from '../../cluster/changes/findObject.js'
import { patchedBy, patchedObject, plainObject } from '../../cluster/changes/patch.js'
import { withAppliedFields, withManifest } from '../../cluster/changes/withAppliedFields.js'
import { withCreated, withUpdated } from '../../cluster/changes/withUpdated.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { kindOf, objectsOf, printedName, singularOf } from '../../cluster/kinds/index.js'
import { objectKey, type LocatedObject } from '../../cluster/manifests/locatedObject.js'
import { decode, isObject } from '../../cluster/schema/decode.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'
import { InputError } from '../../errors.js'
import type { Json } from '../../cluster/yaml/json.js'
import { apiVersionOf } from '../resources.js'
import { StatusError } from '../status.js'
import { timestamp } from '../stamp.js'
import { defaulted } from './fields/defaulted.js'
import { managersAfterUpdate } from './fields/managers.js'
import type { ObjectWrite } from './objectWrite.js'
import { jsonPatch } from './patch/jsonPatch.js'
import { strategicMerge } from './patch/strategicMerge.js'
import { UnprocessablePatch } from './writeErrors.js'

/** The cluster after a verb of kubectl, and the lines that kubectl prints. */
interface VerbDone {
  readonly cluster: Cluster
  readonly said: readonly string[]
  readonly warnings?: readonly string[]
}

type Options = ClusterOptions & { readonly now: string }
type Verb = 'patch' | 'scale' | 'label' | 'annotate' | 'restart'
type Patching = Extract<ObjectWrite, { readonly verb: Verb }>

/**
 * Creates an object, or updates the existing one, like `kubectl apply`: what others have added to it stays, what the
 * last applied manifest had and the new one lacks is removed. The Namespace of a new object must exist.
 */
export function applied(cluster: Cluster, manifest: LocatedObject, options: Options): VerbDone {
  const { object } = manifest
  const existing = objectsOf(cluster, object.kind).find((one) => matchesRef(one, refOf(object)))
  const written =
    existing === undefined
      ? withManifest(manifest)
      : withAppliedFields(existing, manifest, cluster.applied?.get(objectKey(object)))
  const located = managed(existing, written, { manager: 'kubectl-client-side-apply' }, options)
  const next =
    existing === undefined
      ? withCreated(cluster, located, options)
      : withUpdated(cluster, existing, located, options)
  const done = existing === undefined ? 'created' : next === cluster ? 'unchanged' : 'configured'
  const kind = kindOf(object.kind)
  const stored = objectsOf(next, object.kind).find((one) => matchesRef(one, refOf(object))) ?? object
  // kubectl sends no request that changes nothing
  const warnings =
    next === cluster
      ? []
      : existing === undefined
        ? createdWarnings(kind, located.object, stored)
        : updatedWarnings(kind, stored, existing)
  return { cluster: next, said: [`${printedName(object)} ${done}`], warnings }
}

/** The manager of the fields that a verb writes, as in kubectl, and what it prints. */
const verbs: Readonly<
  Record<Verb, { readonly manager: string; readonly subresource?: string; readonly done: string }>
> = {
  patch: { manager: 'kubectl-patch', done: 'patched' },
  scale: { manager: 'kubectl', subresource: 'scale', done: 'scaled' },
  label: { manager: 'kubectl-label', done: 'labeled' },
  annotate: { manager: 'kubectl-annotate', done: 'annotated' },
  restart: { manager: 'kubectl-rollout', done: 'restarted' },
}

/** Patches an object as a verb of kubectl does. Throws InputError with the message of the API server. */
export function patched(cluster: Cluster, write: Patching, options: Options): VerbDone {
  const { manager, subresource, done } = verbs[write.verb]
  const existing = findObject(cluster, write.ref)
  const written =
    write.verb === 'patch' && write.type !== undefined && write.type !== 'merge'
      ? patchedByType(existing, write.patch, write.type)
      : patchedObject(existing, patchOf(write, existing, options))
  const next = withUpdated(
    cluster,
    existing,
    managed(existing, written, { manager, subresource }, options),
    options,
  )
  const isUnchanged = write.verb === 'patch' && next === cluster
  const { warnings: unknown = [] } = written
  // without its last finalizer, it may be gone
  const stored = objectsOf(next, existing.kind).find((one) => matchesRef(one, write.ref)) ?? existing
  return {
    cluster: next,
    warnings: [...unknown, ...updatedWarnings(kindOf(existing.kind), stored, existing)],
    said: [
      `${printedName(existing)} ${removesLabels(write) ? 'unlabeled' : done}${isUnchanged ? ' (no change)' : ''}`,
    ],
  }
}

/** `kubectl label pod/web tier-` prints another word. */
function removesLabels(write: Patching): boolean {
  return write.verb === 'label' && Object.values(write.values).every((value) => value === null)
}

/** A strategic merge patch or a JSON patch, as `kubectl patch --type` sends it. */
function patchedByType(existing: KubeObject, patch: unknown, type: 'strategic' | 'json'): LocatedObject {
  try {
    if (type === 'json') return patchedBy(existing, (target) => jsonPatch(target, patch as Json))
    if (!isObject(patch)) return patchedObject(existing, patch)
    // custom resources have no merge keys
    if (kindOf(existing.kind).group === 'gateway.networking.k8s.io')
      throw new InputError([
        {
          message: `a ${existing.kind} is a custom resource, which has no strategic merge patch`,
          hint: '--type=merge, or --type=json',
        },
      ])
    return patchedBy(existing, (target) => strategicMerge(target, patch), patch)
  } catch (error) {
    if (error instanceof UnprocessablePatch) throw new InputError([{ message: error.why }])
    if (error instanceof StatusError) throw new InputError([{ message: error.message }])
    throw error
  }
}

/** The template annotation that `kubectl rollout restart` sets. */
const restartedAtKey = 'kubectl.kubernetes.io/restartedAt'

function patchOf(write: Patching, existing: KubeObject, { now }: Options): unknown {
  switch (write.verb) {
    case 'patch':
      return write.patch
    case 'label':
      return { metadata: { labels: write.values } }
    case 'annotate':
      return { metadata: { annotations: write.values } }
    case 'scale':
      requireKind(existing, 'scaled', ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet'])
      return { spec: { replicas: write.replicas } }
    case 'restart':
      requireKind(existing, 'restarted', ['Deployment', 'StatefulSet', 'DaemonSet'])
      return { spec: { template: { metadata: { annotations: { [restartedAtKey]: now } } } } }
  }
}

function requireKind({ kind, metadata }: KubeObject, done: string, able: readonly string[]): void {
  if (able.includes(kind)) return
  const message = `${singularOf(kind)} "${metadata.name}" cannot be ${done}`
  throw new InputError([{ message, hint: `these can: ${able.join(', ')}` }])
}

/** A written object with the managers of its fields. */
function managed(
  existing: KubeObject | undefined,
  located: LocatedObject,
  by: { readonly manager: string; readonly subresource?: string | undefined },
  { now }: Options,
): LocatedObject {
  const { object, written = plainObject(object) } = located
  const kind = kindOf(object.kind)
  // After decoding by the schema of its kind, an object has its type.
  const after = defaulted(kind, decode(written, kind.schema).value as unknown as KubeObject)
  const writer = {
    ...by,
    operation: 'Update',
    apiVersion: apiVersionOf(kind),
    time: timestamp(new Date(now)),
  } as const
  const before = existing && plainObject(existing)
  const managers = managersAfterUpdate(existing?.metadata.managedFields ?? [], before, after, writer)
  if (managers.length === 0) return located
  return { ...located, object: { ...object, metadata: { ...object.metadata, managedFields: [...managers] } } }
}
