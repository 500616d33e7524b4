import { parseRange, rangeContains } from '../../net/ranges.js'
import { podAddresses } from '../pods/podFacts.js'
import type { Cluster, ClusterNetworkPolicy, NetworkPolicy, NetworkPolicyPeer, Node, Pod } from '../types.js'
import { isSubject, policiesOfTier, rulesOfClusterPolicy, type Tier } from './clusterPolicies.js'
import {
  isolates,
  isPolicyPod,
  namedPorts,
  namespaceLabels,
  peerSelectsPod,
  rulesOfPolicy,
  selectsPod,
  type Direction,
  type NamespaceLabels,
  type PolicyRule,
} from './selection.js'

/** A packet that begins a connection, as it is between the NAT of its destination and that of its source. */
export interface PolicyPacket {
  readonly source: string
  readonly destination: string
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  readonly port: number
  /** The node that sends it, or that has the source as an address of its own. */
  readonly sourceNode?: string | undefined
}

/** What the policies of one end say about a packet. */
export type PolicySide =
  /** No policy isolates that end, or policies do not apply to it. */
  | { readonly kind: 'open'; readonly why: 'not-isolated' | 'no-pod' | 'own-node' | 'itself' }
  | { readonly kind: 'allowed'; readonly by: PolicyRule }
  /** By a rule of a ClusterNetworkPolicy, or because no rule of the NetworkPolicies that isolate the pod allows it. */
  | {
      readonly kind: 'denied'
      readonly pod: Pod
      readonly policies: readonly NetworkPolicy[]
      readonly by?: PolicyRule<ClusterNetworkPolicy>
    }

/** What the policies of a cluster say about a packet: both ends have to allow it. */
export interface PolicyDecision {
  readonly allowed: boolean
  readonly egress: PolicySide
  readonly ingress: PolicySide
}

/** The objects that decide. */
export type PolicyObjects = Pick<Cluster, 'networkPolicies' | 'namespaces' | 'pods'> &
  Partial<Pick<Cluster, 'clusterNetworkPolicies' | 'nodes'>>

/**
 * Decides about a packet by the objects alone, as the APIs of NetworkPolicy and ClusterNetworkPolicy define it: nothing of how an agent
 * enforces it. Replies and packets of known connections are not its subject.
 */
export function decideByPolicies(cluster: PolicyObjects, packet: PolicyPacket): PolicyDecision {
  const question = questionOf(cluster, packet)
  const egress = sideOf(question, 'Egress')
  const ingress = sideOf(question, 'Ingress')
  return { allowed: egress.kind !== 'denied' && ingress.kind !== 'denied', egress, ingress }
}

interface Question {
  readonly packet: PolicyPacket
  readonly policies: readonly NetworkPolicy[]
  readonly tiers: Readonly<Record<Tier, readonly ClusterNetworkPolicy[]>>
  readonly nodes: readonly Node[]
  readonly labelsOf: NamespaceLabels
  readonly source: Pod | undefined
  readonly destination: Pod | undefined
}

function questionOf(cluster: PolicyObjects, packet: PolicyPacket): Question {
  const { pods, networkPolicies: policies = [], nodes = [] } = cluster
  const tiers = { Admin: policiesOfTier(cluster, 'Admin'), Baseline: policiesOfTier(cluster, 'Baseline') }
  const podAt = (address: string) =>
    pods.find((pod) => isPolicyPod(pod) && podAddresses(pod).includes(address))
  const [source, destination] = [podAt(packet.source), podAt(packet.destination)]
  return { packet, policies, tiers, nodes, labelsOf: namespaceLabels(cluster), source, destination }
}

function sideOf(question: Question, direction: Direction): PolicySide {
  const { packet, policies, source, destination } = question
  const pod = direction === 'Ingress' ? destination : source
  if (pod === undefined) return { kind: 'open', why: 'no-pod' }
  if (source === destination) return { kind: 'open', why: 'itself' }
  // the kubelet of a node probes its pods
  if (direction === 'Ingress' && packet.sourceNode !== undefined && packet.sourceNode === pod.spec.nodeName)
    return { kind: 'open', why: 'own-node' }
  const byAdmin = sideOfTier(question, 'Admin', direction, pod)
  if (byAdmin !== undefined) return byAdmin
  const own = policies.filter((policy) => isolates(policy, direction) && selectsPod(policy, pod))
  if (own.length === 0)
    return sideOfTier(question, 'Baseline', direction, pod) ?? { kind: 'open', why: 'not-isolated' }
  const by = own.flatMap((policy) => rulesOfPolicy(policy, direction)).find((rule) => matches(rule, question))
  return by === undefined ? { kind: 'denied', pod, policies: own } : { kind: 'allowed', by }
}

/** What a tier decides by its first rule that matches; undefined if none does, or if it passes the packet to the next tier. */
function sideOfTier(question: Question, tier: Tier, direction: Direction, pod: Pod): PolicySide | undefined {
  for (const policy of question.tiers[tier]) {
    if (!isSubject(policy, pod, question.labelsOf)) continue
    const by = rulesOfClusterPolicy(policy, direction, question.nodes).find((rule) => matches(rule, question))
    if (by?.action === 'Accept') return { kind: 'allowed', by }
    if (by?.action === 'Deny') return { kind: 'denied', pod, policies: [], by }
    if (by !== undefined) return undefined
  }
  return undefined
}

function matches(rule: PolicyRule, question: Question): boolean {
  return matchesPeers(rule, question) && matchesPorts(rule, question)
}

function matchesPeers(rule: PolicyRule, question: Question): boolean {
  return rule.peers === undefined || rule.peers.some((peer) => matchesPeer(rule, peer, question))
}

function matchesPeer(rule: PolicyRule, peer: NetworkPolicyPeer, question: Question): boolean {
  const { packet, labelsOf, source, destination } = question
  const isIngress = rule.direction === 'Ingress'
  if (peer.ipBlock !== undefined)
    return blockContains(peer.ipBlock, isIngress ? packet.source : packet.destination)
  const other = isIngress ? source : destination
  return other !== undefined && peerSelectsPod(rule, peer, other, labelsOf)
}

function blockContains(
  { cidr, except = [] }: NonNullable<NetworkPolicyPeer['ipBlock']>,
  address: string,
): boolean {
  const holds = (text: string) => {
    const range = parseRange(text)
    return range !== undefined && rangeContains(range, address)
  }
  return holds(cidr) && !except.some(holds)
}

function matchesPorts({ ports }: PolicyRule, { packet, destination }: Question): boolean {
  if (ports === undefined) return true
  return ports.some(({ protocol = 'TCP', port, endPort }) => {
    if (protocol !== packet.protocol) return false
    if (port === undefined) return true
    if (typeof port === 'string')
      return destination !== undefined && namedPorts(destination, port, protocol).includes(packet.port)
    return port <= packet.port && packet.port <= (endPort ?? port)
  })
}

/** A rule that does not allow a packet, and what of it does not fit. */
export interface NearMiss {
  readonly rule: PolicyRule<NetworkPolicy>
  readonly fits: { readonly peers: boolean; readonly ports: boolean }
}

/** The rules of the policies that deny one end of a packet, with what fits: those of which one part fits come first. */
export function nearMisses(cluster: PolicyObjects, packet: PolicyPacket, direction: Direction): NearMiss[] {
  const { egress, ingress } = decideByPolicies(cluster, packet)
  const side = direction === 'Ingress' ? ingress : egress
  if (side.kind !== 'denied') return []
  const question = questionOf(cluster, packet)
  const misses = side.policies
    .flatMap((policy) => rulesOfPolicy(policy, direction))
    .map((rule): NearMiss => ({
      rule,
      fits: { peers: matchesPeers(rule, question), ports: matchesPorts(rule, question) },
    }))
  const rank = ({ fits }: NearMiss) => Number(fits.peers) + Number(fits.ports)
  return misses.sort((a, b) => rank(b) - rank(a))
}
