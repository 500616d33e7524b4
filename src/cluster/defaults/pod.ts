import { records } from '../manifests/loose.js'
import type { Container, KubeObject, Pod, PodSpec, Toleration } from '../types.js'
import { defaultContainer, withHostPorts, withRequests } from './container.js'
import { filled, type Fields } from './filled.js'
import { defaultVolume } from './volume.js'

/** Default fields of a PodSpec, in a pod and in a template (SetDefaults_PodSpec). */
const specDefaults = {
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  securityContext: {},
}

/** Fields of pods, not of templates (SetDefaults_Pod). */
const podDefaults = { enableServiceLinks: true }

/** The values of the PriorityClasses that the API server creates. */
export const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/** Sets the defaults of a Pod from a manifest; its status is dropped, because the cluster writes it. */
export function defaultPod(pod: Pod): Pod {
  const { status: _written, ...rest } = pod
  return admittedPod({ ...rest, spec: defaultPodSpec(pod.spec) })
}

/** A created pod with a defaulted spec, as the API server stores it. */
export function admittedPod(pod: Pod): Pod {
  const { spec } = pod
  const container = (one: Container) => withRequests(spec.hostNetwork === true ? withHostPorts(one) : one)
  return withFirstGeneration({
    ...pod,
    spec: {
      ...filled(spec, { ...podDefaults, ...priorityOf(spec) }),
      // a negative time counts as one second
      ...((spec.terminationGracePeriodSeconds ?? 0) < 0 ? { terminationGracePeriodSeconds: 1 } : {}),
      tolerations: withTolerations((spec['tolerations'] ?? []) as readonly Toleration[]),
      containers: spec.containers.map(container),
      ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(container) }),
    },
  })
}

function priorityOf({ priorityClassName = '' }: PodSpec): Fields {
  const name = String(priorityClassName)
  // without a class it is 0 (the admission plugin Priority)
  const priority = name === '' ? 0 : systemPriorities[name]
  return priority === undefined ? {} : { priority, preemptionPolicy: 'PreemptLowerPriority' }
}

/** An object with generation 1, unless it has one. */
export function withFirstGeneration<Kind extends KubeObject>(object: Kind): Kind {
  return { ...object, metadata: { ...object.metadata, generation: object.metadata.generation ?? 1 } }
}

/** Pods stay five minutes on a node that is down (the admission plugin DefaultTolerationSeconds). */
function withTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((taint) => !tolerations.some((one) => toleratesEviction(one, taint)))
    .map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return [...tolerations, ...added]
}

function toleratesEviction({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return ['', taint].includes(key) && ['', 'NoExecute'].includes(effect)
}

/** Sets the defaults of a PodSpec, in a pod or in a template (SetDefaults_PodSpec). */
export function defaultPodSpec(spec: PodSpec): PodSpec {
  const { serviceAccountName, volumes } = spec
  return {
    ...filled(spec, specDefaults),
    restartPolicy: spec['restartPolicy'] ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    containers: spec.containers.map(defaultContainer),
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: spec.initContainers.map(defaultContainer) }),
    ...(spec.ephemeralContainers === undefined
      ? {}
      : { ephemeralContainers: spec.ephemeralContainers.map(defaultContainer) }),
    ...(volumes === undefined ? {} : { volumes: records(volumes).map(defaultVolume) }),
    // The deprecated name of the field.
    ...(serviceAccountName === undefined ? {} : { serviceAccount: serviceAccountName }),
  }
}
