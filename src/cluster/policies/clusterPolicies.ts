import { nodeAddresses } from '../nodes.js'
import { matchesSelector } from '../selectors.js'
import type {
  Cluster,
  ClusterNetworkPolicy,
  ClusterNetworkPolicyPeer,
  ClusterNetworkPolicyProtocol,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  Node,
  Pod,
} from '../types.js'
import {
  namespaceOf,
  type Action,
  type Direction,
  type NamespaceLabels,
  type PolicyRule,
} from './selection.js'

/** The tiers of ClusterNetworkPolicies: NetworkPolicies are between them. */
export type Tier = 'Admin' | 'Baseline'

/**
 * The policies of a tier in the order in which they are evaluated. The API leaves the order of equal priorities open: here it is that of
 * their names.
 */
export function policiesOfTier(
  { clusterNetworkPolicies = [] }: Pick<Cluster, 'clusterNetworkPolicies'>,
  tier: Tier,
): ClusterNetworkPolicy[] {
  return clusterNetworkPolicies
    .filter(({ spec }) => spec.tier === tier)
    .sort((a, b) => a.spec.priority - b.spec.priority || (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** Whether a ClusterNetworkPolicy is about a pod. */
export function isSubject({ spec }: ClusterNetworkPolicy, pod: Pod, labelsOf: NamespaceLabels): boolean {
  const { namespaces, pods } = spec.subject
  const ofNamespace = namespaces ?? pods?.namespaceSelector
  return (
    ofNamespace !== undefined &&
    matchesSelector(ofNamespace, labelsOf(namespaceOf(pod.metadata))) &&
    matchesSelector(pods?.podSelector ?? {}, pod.metadata.labels)
  )
}

/** The rules of a ClusterNetworkPolicy in a direction, in the form of NetworkPolicies; peers that are nodes are their addresses. */
export function rulesOfClusterPolicy(
  policy: ClusterNetworkPolicy,
  direction: Direction,
  nodes: readonly Node[],
): PolicyRule<ClusterNetworkPolicy>[] {
  const field = direction === 'Ingress' ? 'ingress' : 'egress'
  return (policy.spec[field] ?? []).map(({ action, from, to, protocols }, index) => ({
    policy,
    direction,
    field: `spec.${field}[${index}]`,
    action: action as Action,
    peers: (from ?? to ?? []).flatMap((peer) => peersOf(peer, nodes)),
    ports: protocols?.flatMap(portsOf),
  }))
}

function peersOf(peer: ClusterNetworkPolicyPeer, nodes: readonly Node[]): NetworkPolicyPeer[] {
  const { namespaces, pods, networks = [], nodes: selector } = peer
  if (namespaces !== undefined) return [{ namespaceSelector: namespaces }]
  if (pods !== undefined) return [pods]
  const ofNodes = nodes.filter(
    ({ metadata }) => selector !== undefined && matchesSelector(selector, metadata.labels),
  )
  const ranges = ofNodes.flatMap(nodeAddresses).map((one) => `${one}/${one.includes(':') ? 128 : 32}`)
  return [...networks, ...ranges].map((cidr) => ({ ipBlock: { cidr } }))
}

/** A port by its name is that of any protocol. */
function portsOf({
  tcp,
  udp,
  sctp,
  destinationNamedPort,
}: ClusterNetworkPolicyProtocol): NetworkPolicyPort[] {
  if (destinationNamedPort !== undefined)
    return ['TCP', 'UDP', 'SCTP'].map((protocol) => ({ protocol, port: destinationNamedPort }))
  return Object.entries({ TCP: tcp, UDP: udp, SCTP: sctp }).flatMap(([protocol, of]): NetworkPolicyPort[] => {
    if (of === undefined) return []
    const { number, range } = of.destinationPort ?? {}
    const port = number ?? range?.start
    return [
      { protocol, ...(port !== undefined && { port }), ...(range !== undefined && { endPort: range.end }) },
    ]
  })
}
