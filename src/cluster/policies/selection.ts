import { isTerminal, podAddresses, servingContainers } from '../pods/podFacts.js'
import { matchesSelector } from '../selectors.js'
import type {
  Cluster,
  ClusterNetworkPolicy,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  Pod,
} from '../types.js'

/** The side of a connection that a rule is about: `Ingress` is the pod that receives. */
export type Direction = 'Ingress' | 'Egress'

/** A rule of a policy, ingress or egress, in the form of NetworkPolicies. */
export interface PolicyRule<Of extends AnyPolicy = AnyPolicy> {
  readonly policy: Of
  readonly direction: Direction
  /** `spec.ingress[0]` */
  readonly field: string
  /** What happens to the packets that it matches; rules of NetworkPolicies accept. */
  readonly action: Action
  /** The other ends; undefined means any. */
  readonly peers: readonly NetworkPolicyPeer[] | undefined
  /** Ports of the pod that receives; undefined means any. */
  readonly ports: readonly NetworkPolicyPort[] | undefined
}

/** What decides about packets. */
export type AnyPolicy = NetworkPolicy | ClusterNetworkPolicy

/** A policy as an object; those of the cluster have no namespace. */
export function policyRef({ kind, metadata }: AnyPolicy): {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
} {
  return { kind, ...(kind === 'NetworkPolicy' && { namespace: namespaceOf(metadata) }), name: metadata.name }
}

/** `Pass` is a rule of ClusterNetworkPolicies: the next tier decides. */
export type Action = 'Accept' | 'Deny' | 'Pass'

/** Whether policies can select a pod, as itself or as a peer: it has an address of its own, and has not ended. */
export function isPolicyPod(pod: Pod): boolean {
  return pod.spec.hostNetwork !== true && !isTerminal(pod) && podAddresses(pod).length > 0
}

/** Whether a policy is about a pod. */
export function selectsPod({ metadata, spec }: NetworkPolicy, pod: Pod): boolean {
  return (
    namespaceOf(metadata) === namespaceOf(pod.metadata) &&
    matchesSelector(spec.podSelector, pod.metadata.labels)
  )
}

/** Whether a policy isolates its pods in a direction. */
export function isolates({ spec }: NetworkPolicy, direction: Direction): boolean {
  return (spec.policyTypes ?? ['Ingress']).includes(direction)
}

/** What a policy allows in a direction; none if it does not isolate its pods in it. */
export function rulesOfPolicy(policy: NetworkPolicy, direction: Direction): PolicyRule<NetworkPolicy>[] {
  if (!isolates(policy, direction)) return []
  const { ingress = [], egress = [] } = policy.spec
  const rules =
    direction === 'Ingress'
      ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
      : egress.map(({ to, ports }) => ({ peers: to, ports }))
  return rules.map(({ peers, ports }, index) => ({
    policy,
    ...{ direction, action: 'Accept' as const },
    field: `spec.${direction.toLowerCase()}[${index}]`,
    // an empty list is the same as none: any
    peers: peers?.length === 0 ? undefined : peers,
    ports: ports?.length === 0 ? undefined : ports,
  }))
}

/** The labels of the namespaces of a cluster by name; each has its name as a label, as the API server sets it. */
export function namespaceLabels({ namespaces }: Pick<Cluster, 'namespaces'>): NamespaceLabels {
  const own = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels]))
  const all = new Map<string, Readonly<Record<string, string>>>()
  return (name) => {
    const labels = all.get(name) ?? { ...own.get(name), 'kubernetes.io/metadata.name': name }
    all.set(name, labels)
    return labels
  }
}

/** The labels of a namespace. */
export type NamespaceLabels = (name: string) => Readonly<Record<string, string>>

/** Whether a peer is about a pod: never with an ipBlock, which is about addresses. */
export function peerSelectsPod(
  { policy }: Pick<PolicyRule, 'policy'>,
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  pod: Pod,
  labelsOf: NamespaceLabels,
): boolean {
  if (ipBlock !== undefined || (podSelector === undefined && namespaceSelector === undefined)) return false
  const namespace = namespaceOf(pod.metadata)
  const isThere =
    namespaceSelector === undefined
      ? namespace === namespaceOf(policy.metadata)
      : matchesSelector(namespaceSelector, labelsOf(namespace))
  return isThere && matchesSelector(podSelector ?? {}, pod.metadata.labels)
}

/** The numbers that a port of this name has in a pod. */
export function namedPorts(pod: Pod, name: string, protocol: string): number[] {
  return servingContainers(pod)
    .flatMap(({ ports = [] }) => ports)
    .filter((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)
    .map(({ containerPort }) => containerPort)
}

/** The namespace of an object. */
export function namespaceOf({ namespace = 'default' }: { readonly namespace?: string }): string {
  return namespace
}
