import { controllerKey } from '../../cluster/owners.js'
import { objectKey } from '../../cluster/manifests/locatedObject.js'
import { isReady } from '../../cluster/pods/podFacts.js'
import { isNodeReady } from '../../cluster/nodeStatus.js'
import { serviceEndpoints, slicesOf } from '../../cluster/serviceEndpoints.js'
import type { ListenerOwner } from '../../cluster/types/gateway.js'
import type { Cluster, Ingress, KubeObject, Pod } from '../../cluster/types.js'
import { findObject, type ObjectRef } from '../../cluster/changes/findObject.js'
import { InputError } from '../../errors.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { readReference } from './objectReference.js'
import type { WaitAction, WaitState } from './types.js'

/** Whether the condition is met, and the current state. */
export interface WaitSeen {
  readonly met: boolean
  readonly seen: string
}

const workloads = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController']
const ofPods: readonly WaitState[] = ['running', 'ready', 'notReady', 'gone']
const ofKind: Readonly<Record<string, readonly WaitState[]>> = {
  Pod: ofPods,
  Node: ['ready', 'notReady'],
  Ingress: ['ready', 'notReady', 'gone'],
  Gateway: ['ready', 'notReady', 'gone'],
  ListenerSet: ['ready', 'notReady', 'gone'],
  ...Object.fromEntries(workloads.map((kind) => [kind, ['available', 'rolledOut', ...ofPods]])),
}

/** Why a wait is invalid; undefined when it is valid. */
export function waitProblem({
  for: text,
  until,
}: WaitAction): { message: string; hint?: string | undefined } | undefined {
  const reference = readReference(text)
  if ('problem' in reference) return { message: reference.problem, hint: reference.hint }
  const kind = 'object' in reference ? reference.object.kind : 'Pod'
  const states = ofKind[kind] ?? ['gone']
  if (typeof until === 'string') {
    if (states.includes(until)) return undefined
    return { message: `a ${kind} is never ${until}`, hint: `it can be ${states.join(', ')}` }
  }
  return kind === 'Service' ? undefined : { message: `a ${kind} has no endpoints`, hint: 'a Service has' }
}

/** The current state of what a step waits for. */
export function waitState({ for: text, until }: WaitAction, { cluster, names }: LabState): WaitSeen {
  const reference = readReference(text)
  if ('problem' in reference) return { met: false, seen: reference.problem }
  if ('selector' in reference) {
    const lookup = names.lookup(reference.selector, ['pod'])
    const keys = new Set('found' in lookup ? lookup.found.map((one) => `${one.namespace}/${one.name}`) : [])
    const pods = cluster.pods.filter(({ metadata }) => keys.has(`${metadata.namespace}/${metadata.name}`))
    return podsState(pods, until)
  }
  const object = found(cluster, reference.object)
  if (until === 'gone') return { met: object === undefined, seen: `${text} ${object ? 'exists' : 'is gone'}` }
  if (object === undefined) return { met: false, seen: `there is no ${text}` }
  if (typeof until !== 'string') return endpointsState(cluster, object, until.endpoints)
  if (object.kind === 'Pod') return podsState([object as Pod], until)
  if (object.kind === 'Node') {
    const node = cluster.nodes.find((one) => one === object)
    const ready = node !== undefined && isNodeReady(node)
    return { met: ready === (until === 'ready'), seen: ready ? 'ready' : 'not ready' }
  }
  if (object.kind === 'Ingress') return ingressState(object as Ingress, until)
  if (object.kind === 'Gateway' || object.kind === 'ListenerSet')
    return gatewayState(object as ListenerOwner, until)
  return workloadState(cluster, object, until)
}

/** An Ingress is ready when its status has an address. */
function ingressState({ status }: Ingress, until: WaitState): WaitSeen {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? [])
  const seen = addresses.length === 0 ? 'no address in its status' : `its status has ${addresses.join(', ')}`
  return { met: addresses.length > 0 === (until === 'ready'), seen }
}

/** A Gateway or a ListenerSet is ready when its condition Programmed is True. */
function gatewayState({ status }: ListenerOwner, until: WaitState): WaitSeen {
  const programmed = status?.conditions?.find(({ type }) => type === 'Programmed')
  const { status: value = 'Unknown', reason = 'no controller has set it', message = '' } = programmed ?? {}
  const why = [reason, message].filter((text) => text !== '').join(': ')
  return { met: (value === 'True') === (until === 'ready'), seen: `Programmed is ${value} (${why})` }
}

function found(cluster: Cluster, ref: ObjectRef): KubeObject | undefined {
  try {
    return findObject(cluster, ref)
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

function endpointsState(cluster: Cluster, { metadata }: KubeObject, wanted: number): WaitSeen {
  const ready = serviceEndpoints(slicesOf(cluster, metadata)).filter((endpoint) => endpoint.ready).length
  return { met: ready === wanted, seen: `${ready} ready` }
}

function podsState(pods: readonly Pod[], until: WaitAction['until']): WaitSeen {
  const seen =
    pods.length === 0 ? 'no pod' : pods.map((pod) => `${pod.metadata.name} ${podWords(pod)}`).join(', ')
  if (until === 'gone') return { met: pods.length === 0, seen }
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const isSo = (pod: Pod) =>
    until === 'running' ? pod.status?.phase === 'Running' : isReady(pod) === (until === 'ready')
  return { met: staying.length > 0 && staying.every(isSo), seen }
}

function workloadState(cluster: Cluster, workload: KubeObject, until: WaitState): WaitSeen {
  const pods = podsOf(cluster, workload)
  if (until !== 'available' && until !== 'rolledOut') return podsState(pods, until)
  const wanted = wantedPods(workload, pods)
  const ready = pods.filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length
  const seen = `${ready} of ${wanted} ready, ${pods.length} in all`
  if (until === 'available') return { met: ready >= wanted, seen }
  const working = (cluster.replicaSets ?? []).filter(
    (set) => controllerKey(set) === objectKey(workload) && (set.spec.replicas ?? 1) > 0,
  )
  return { met: ready === wanted && pods.length === wanted && working.length <= 1, seen }
}

function podsOf(cluster: Cluster, workload: KubeObject): Pod[] {
  const sets = (cluster.replicaSets ?? []).filter((set) => controllerKey(set) === objectKey(workload))
  const owners = new Set([workload, ...sets].map(objectKey))
  return cluster.pods.filter((pod) => owners.has(controllerKey(pod) ?? ''))
}

/** A DaemonSet wants the pods that it has: it creates them as soon as there are nodes for them. */
function wantedPods(workload: KubeObject, pods: readonly Pod[]): number {
  if (workload.kind === 'DaemonSet') return pods.length
  return (workload as { spec?: { replicas?: number } }).spec?.replicas ?? 1
}

function podWords(pod: Pod): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'terminating'
  if (pod.status?.phase !== 'Running') return (pod.status?.phase ?? 'Pending').toLowerCase()
  return isReady(pod) ? 'ready' : 'not ready'
}
