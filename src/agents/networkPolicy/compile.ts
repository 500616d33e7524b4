import {
  isSubject,
  policiesOfTier,
  rulesOfClusterPolicy,
  type Tier,
} from '../../cluster/policies/clusterPolicies.js'
import type { PolicyObjects } from '../../cluster/policies/decide.js'
import {
  isolates,
  namedPorts,
  namespaceLabels,
  namespaceOf,
  peerSelectsPod,
  rulesOfPolicy,
  selectsPod,
  type AnyPolicy,
  type Direction,
  type NamespaceLabels,
  type PolicyRule,
} from '../../cluster/policies/selection.js'
import { matchesSelector } from '../../cluster/selectors.js'
import type { NetworkPolicyPeer, Node } from '../../cluster/types.js'
import { groupBy } from '../../groupBy.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { addressesOf, type PodAddress } from './podAddress.js'
import { rangeEntries, type RangeEntry } from './ranges.js'

/** Ports that a rule is about: of a protocol, or all; named ports in the pods that have them. */
export interface CompiledPort {
  readonly protocol: string
  readonly first?: number | undefined
  readonly last?: number | undefined
  /** For a named port: the pods in which it has this number. */
  readonly pods?: readonly string[] | undefined
}

/** A rule of a policy in one family, with the addresses behind its selectors. */
export interface CompiledRule {
  readonly rule: PolicyRule
  readonly index: number
  /** Addresses of pods; undefined if the rule has no peers that are pods. */
  readonly pods: readonly string[] | undefined
  /** Undefined if it has no blocks of this family. */
  readonly ranges: readonly RangeEntry[] | undefined
  /** Undefined means any. */
  readonly ports: readonly CompiledPort[] | undefined
}

/** A policy in one family, with the pods that it is about. */
export interface CompiledPolicy {
  readonly policy: AnyPolicy
  readonly family: IpFamily
  readonly targets: readonly PodAddress[]
  /** By direction, for those in which it isolates or has rules. */
  readonly rules: Readonly<Partial<Record<Direction, readonly CompiledRule[]>>>
}

/** All policies of a cluster in one family, and the pods that chains are written for. */
export interface CompiledPolicies {
  /** In the order of their objects. */
  readonly policies: readonly CompiledPolicy[]
  /** In the order in which they are evaluated. */
  readonly tiers: Readonly<Record<Tier, readonly CompiledPolicy[]>>
  readonly pods: readonly PodAddress[]
}

/** What policies are compiled with, in one family. */
export interface Around {
  readonly pods: readonly PodAddress[]
  /** The pods that a peer selects; without a namespaceSelector, those of a namespace. */
  readonly select: (peer: Selecting, namespace?: string) => readonly PodAddress[]
  readonly labelsOf: NamespaceLabels
  readonly nodes: readonly Node[]
  readonly family: IpFamily
}

type Selecting = Pick<NetworkPolicyPeer, 'podSelector' | 'namespaceSelector'>

/** The pods, namespaces and nodes of a cluster, in one family; `known` pods are kept where nothing of them has changed. */
export function aroundPolicies(
  cluster: PolicyObjects,
  family: IpFamily,
  known: readonly PodAddress[] = [],
): Around {
  const pods = addressesOf(cluster.pods, family, known)
  const labelsOf = namespaceLabels(cluster)
  const { nodes = [] } = cluster
  return { pods, select: selection(pods, labelsOf), labelsOf, nodes, family }
}

/** Policies have many selectors in common: each is evaluated once. */
function selection(pods: readonly PodAddress[], labelsOf: NamespaceLabels): Around['select'] {
  const byNamespace = groupBy(pods, ({ pod }) => namespaceOf(pod.metadata))
  const known = new Map<string, readonly PodAddress[]>()
  return ({ podSelector = {}, namespaceSelector }, namespace = '') => {
    const inOne = namespaceSelector === undefined
    const key = JSON.stringify([podSelector, namespaceSelector ?? namespace])
    const found = known.get(key)
    if (found !== undefined) return found
    const spaces = inOne
      ? [byNamespace.get(namespace) ?? []]
      : [...byNamespace].flatMap(([name, own]) =>
          matchesSelector(namespaceSelector, labelsOf(name)) ? [own] : [],
        )
    const selected = spaces.flatMap((own) =>
      own.filter(({ pod }) => matchesSelector(podSelector, pod.metadata.labels)),
    )
    known.set(key, selected)
    return selected
  }
}

/** The policies of a cluster with the addresses behind their selectors; `compiled` gives one of them. */
export function compilePolicies(
  cluster: PolicyObjects,
  around: Around,
  compiled: (policy: AnyPolicy) => CompiledPolicy = (policy) => compilePolicy(policy, around),
): CompiledPolicies {
  const ofTier = (tier: Tier) => policiesOfTier(cluster, tier).map(compiled)
  return {
    policies: (cluster.networkPolicies ?? []).map(compiled),
    tiers: { Admin: ofTier('Admin'), Baseline: ofTier('Baseline') },
    pods: around.pods,
  }
}

/** A policy with the addresses behind its selectors. */
export function compilePolicy(policy: AnyPolicy, around: Around): CompiledPolicy {
  const targets = targetsOf(policy, around)
  const ofDirection = (direction: Direction) => {
    const rules = rulesIn(policy, direction, around.nodes)
    return rules === undefined
      ? {}
      : { [direction]: rules.map((rule, index) => compileRule(rule, index, targets, around)) }
  }
  return {
    ...{ policy, family: around.family, targets },
    rules: { ...ofDirection('Ingress'), ...ofDirection('Egress') },
  }
}

function targetsOf(policy: AnyPolicy, { select }: Around): readonly PodAddress[] {
  if (policy.kind === 'NetworkPolicy')
    return select({ podSelector: policy.spec.podSelector }, namespaceOf(policy.metadata))
  const { namespaces, pods } = policy.spec.subject
  return select(pods ?? { namespaceSelector: namespaces ?? {} })
}

/** Undefined in a direction in which a policy decides nothing. */
function rulesIn(policy: AnyPolicy, direction: Direction, nodes: readonly Node[]): PolicyRule[] | undefined {
  if (policy.kind === 'NetworkPolicy')
    return isolates(policy, direction) ? rulesOfPolicy(policy, direction) : undefined
  const rules = rulesOfClusterPolicy(policy, direction, nodes)
  return rules.length === 0 ? undefined : rules
}

function compileRule(
  rule: PolicyRule,
  index: number,
  targets: readonly PodAddress[],
  around: Around,
): CompiledRule {
  const { peers, ports, direction } = rule
  const selecting = peers?.filter(({ ipBlock }) => ipBlock === undefined) ?? []
  const blocks = peers?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? []
  const selected = selecting.length === 0 ? undefined : peerPods(rule, selecting, around)
  const ranges = rangeEntries(blocks, around.family)
  // a port is one of the pod that receives
  const receivers = direction === 'Ingress' ? targets : receiversOf(selected, ranges.length > 0, around)
  return {
    ...{ rule, index },
    pods: selected?.map(({ address }) => address),
    ranges: ranges.length === 0 ? undefined : ranges,
    ports: ports?.flatMap(({ protocol = 'TCP', port, endPort }): CompiledPort[] => {
      if (typeof port === 'string') return namedPort(port, protocol, receivers)
      return [{ protocol, first: port, last: endPort ?? port }]
    }),
  }
}

/** The pods that some peers select. */
function peerPods(
  rule: PolicyRule,
  peers: NonNullable<PolicyRule['peers']>,
  { select }: Around,
): readonly PodAddress[] {
  const lists = peers.map((peer) => select(peer, namespaceOf(rule.policy.metadata)))
  const [first = []] = lists
  if (lists.length === 1) return first
  const all = new Set<PodAddress>()
  for (const list of lists) for (const one of list) all.add(one)
  return [...all]
}

/** The pods to which egress with a named port can go: those that are selected; any for ranges, and without peers. */
function receiversOf(
  selected: readonly PodAddress[] | undefined,
  hasRanges: boolean,
  { pods }: Around,
): readonly PodAddress[] {
  return selected === undefined || hasRanges ? pods : selected
}

/** The numbers that a named port has in pods. */
function namedPort(name: string, protocol: string, pods: readonly PodAddress[]): CompiledPort[] {
  const numbers = new Map<number, string[]>()
  for (const { pod, address } of pods)
    for (const number of new Set(namedPorts(pod, name, protocol)))
      numbers.set(number, [...(numbers.get(number) ?? []), address])
  return [...numbers].map(([number, addresses]) => ({
    ...{ protocol, first: number, last: number },
    pods: addresses,
  }))
}

/** Whether a policy is compiled otherwise with or without a pod. */
export function involves(
  { policy, rules }: CompiledPolicy,
  { pod }: PodAddress,
  labelsOf: NamespaceLabels,
): boolean {
  const isTarget =
    policy.kind === 'NetworkPolicy' ? selectsPod(policy, pod) : isSubject(policy, pod, labelsOf)
  if (isTarget) return true
  return (['Ingress', 'Egress'] as const).some((direction) =>
    (rules[direction] ?? []).some(
      ({ rule }) =>
        rule.peers?.some((peer) => peerSelectsPod(rule, peer, pod, labelsOf)) === true ||
        (direction === 'Egress' && rule.ports?.some(({ port }) => typeof port === 'string') === true),
    ),
  )
}
