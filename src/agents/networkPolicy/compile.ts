import {
  isolates,
  isPolicyPod,
  namedPorts,
  namespaceLabels,
  namespaceOf,
  peerSelectsPod,
  rulesOfPolicy,
  selectsPod,
  type Direction,
  type NamespaceLabels,
  type PolicyRule,
} from '../../cluster/policies/selection.js'
import { podAddresses } from '../../cluster/pods/podFacts.js'
import type { Cluster, NetworkPolicy, Pod } from '../../cluster/types.js'
import { groupBy } from '../../groupBy.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { rangeEntries, type RangeEntry } from './ranges.js'

/** A pod with its address in one family. */
export interface PodAddress {
  readonly pod: Pod
  readonly address: string
}

/** Ports that a rule allows: of a protocol, or all; named ports in the pods that have them. */
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

/** A policy in one family, with the pods that it isolates. */
export interface CompiledPolicy {
  readonly policy: NetworkPolicy
  readonly name: { readonly namespace: string; readonly name: string }
  readonly targets: readonly PodAddress[]
  /** By direction, for those in which it isolates. */
  readonly rules: Readonly<Partial<Record<Direction, readonly CompiledRule[]>>>
}

/** All policies of a cluster in one family, and the pods that chains are written for. */
export interface CompiledPolicies {
  readonly policies: readonly CompiledPolicy[]
  readonly pods: readonly PodAddress[]
}

/** The policies of a cluster with the addresses behind their selectors, in one family. */
export function compilePolicies(
  cluster: Pick<Cluster, 'networkPolicies' | 'namespaces' | 'pods'>,
  family: IpFamily,
): CompiledPolicies {
  const { networkPolicies = [] } = cluster
  if (networkPolicies.length === 0) return { policies: [], pods: [] }
  const pods = cluster.pods.flatMap((pod): PodAddress[] => {
    const address = podAddresses(pod).find((one) => familyOf(one) === family)
    return !isPolicyPod(pod) || address === undefined ? [] : [{ pod, address }]
  })
  const byNamespace = groupBy(pods, ({ pod }) => namespaceOf(pod.metadata))
  const around: Around = { pods, byNamespace, labelsOf: namespaceLabels(cluster), family }
  return { pods, policies: networkPolicies.map((policy) => compile(policy, around)) }
}

interface Around {
  readonly pods: readonly PodAddress[]
  readonly byNamespace: ReadonlyMap<string, readonly PodAddress[]>
  readonly labelsOf: NamespaceLabels
  readonly family: IpFamily
}

function compile(policy: NetworkPolicy, around: Around): CompiledPolicy {
  const namespace = namespaceOf(policy.metadata)
  const targets = (around.byNamespace.get(namespace) ?? []).filter(({ pod }) => selectsPod(policy, pod))
  const ofDirection = (direction: Direction) =>
    isolates(policy, direction)
      ? {
          [direction]: rulesOfPolicy(policy, direction).map((rule, index) =>
            compileRule(rule, index, targets, around),
          ),
        }
      : {}
  return {
    policy,
    name: { namespace, name: policy.metadata.name },
    targets,
    rules: { ...ofDirection('Ingress'), ...ofDirection('Egress') },
  }
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
  { pods, byNamespace, labelsOf }: Around,
): PodAddress[] {
  const isOwn = peers.every(({ namespaceSelector }) => namespaceSelector === undefined)
  const among = isOwn ? (byNamespace.get(namespaceOf(rule.policy.metadata)) ?? []) : pods
  return among.filter(({ pod }) => peers.some((peer) => peerSelectsPod(rule, peer, pod, labelsOf)))
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
