import { namespacedName } from '../../cluster/namespacedName.js'
import { policyRef, type Action, type Direction } from '../../cluster/policies/selection.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { comment, inSet, reject } from '../../netfilter/rules/build.js'
import type { Match, Rule } from '../../netfilter/rules/model.js'
import { networkPolicyAgent, type Meaning } from '../meaning.js'
import type { CompiledPolicy, CompiledPort, CompiledRule } from './compile.js'
import {
  allowedMark,
  clusterNamed,
  clusterPolicyChain,
  namedPortSet,
  nextTierMark,
  peerSet,
  policyChain,
  targetSet,
  type Named,
} from './names.js'
import type { RangeEntry } from './ranges.js'

/** A set of the agent: addresses of pods, or the ranges of blocks. */
export type PolicySet = { readonly meaning: Meaning } & (
  | { readonly kind: 'pods'; readonly addresses: readonly string[] }
  | { readonly kind: 'ranges'; readonly ranges: readonly RangeEntry[] }
)

/** A rule of the agent, and what it is for. */
export interface PolicyChainRule {
  readonly rule: Rule
  /** The rule ends its chain, after it has set its mark. */
  readonly returns?: true
  /** What its comment says in nftables, where it names the field too. */
  readonly note?: string
  readonly meaning: Meaning
}

/** Chains by name, in the order in which they are written, and the sets that their rules match. */
export interface PolicyTables {
  readonly sets: Map<string, PolicySet>
  readonly chains: Map<string, readonly PolicyChainRule[]>
}

/** The chain in which the rules of a policy for a direction are; undefined if it decides nothing in it. */
export function chainOfPolicy(
  { policy, rules, family }: CompiledPolicy,
  direction: Direction,
): string | undefined {
  if (rules[direction] === undefined) return undefined
  const { namespace = 'default', name } = policy.metadata
  if (policy.kind === 'ClusterNetworkPolicy')
    return clusterPolicyChain(name, family, direction === 'Ingress' ? 'ingress' : 'egress')
  // in one chain, egress between two pods of a policy would pass as their ingress
  const second = direction === 'Egress' && rules.Ingress !== undefined ? 'egress' : ''
  return policyChain({ namespace, name }, family, second)
}

/** The chains of a policy, which mark what it allows and reject what it denies, and their sets. */
export function tablesOfPolicy(policy: CompiledPolicy): PolicyTables {
  const tables: PolicyTables = { sets: new Map(), chains: new Map() }
  const { targets, family } = policy
  for (const direction of ['Ingress', 'Egress'] as const) {
    const chain = chainOfPolicy(policy, direction)
    if (chain === undefined) continue
    const own = targetSet(hashedName(policy), family, direction === 'Ingress' ? 'DST' : 'SRC')
    tables.sets.set(own, {
      ...{ kind: 'pods', addresses: targets.map(({ address }) => address) },
      meaning: meaningOf(policy, selectorField(policy), 'a pod that the policy selects'),
    })
    const rules = (policy.rules[direction] ?? []).flatMap((rule) => {
      const { action, field } = rule.rule
      const meaning = meaningOf(policy, field, says[action])
      return conditionsOf(tables, policy, rule, own).map((conditions): PolicyChainRule => ({
        ...acting(conditions, action, nameOfPolicy(policy), family),
        ...{ note: noteOf(policy, field), meaning },
      }))
    })
    tables.chains.set(chain, rules)
  }
  return tables
}

const says = {
  Accept: 'allowed by the policy',
  Deny: 'denied by the policy',
  Pass: 'the policy leaves it to the next tier',
} as const satisfies Readonly<Record<Action, string>>

/** `default/web`; a policy of the cluster has no namespace. */
export function nameOfPolicy({ policy }: CompiledPolicy): string {
  return policy.kind === 'ClusterNetworkPolicy' ? policy.metadata.name : namespacedName(policy)
}

/** `default/web spec.ingress[0]` */
export function noteOf(policy: CompiledPolicy, field: string): string {
  return `${nameOfPolicy(policy).slice(0, longestComment - field.length - 1)} ${field}`
}

/** The policy as the object that a rule is for. */
export function meaningOf({ policy }: CompiledPolicy, field: string, why: string): Meaning {
  return { owner: networkPolicyAgent, why, object: { ...policyRef(policy), field } }
}

/** The field by which a policy selects its pods. */
export function selectorField({ policy }: CompiledPolicy): string {
  return policy.kind === 'ClusterNetworkPolicy' ? 'spec.subject' : 'spec.podSelector'
}

function hashedName({ policy }: CompiledPolicy): Named {
  const { namespace = 'default', name } = policy.metadata
  return policy.kind === 'ClusterNetworkPolicy' ? clusterNamed(name) : { namespace, name }
}

/** The sets of a rule's other end, and what its comment calls them. */
interface PeerSet {
  readonly word: 'any' | 'pods' | 'cidr'
  readonly set?: string
}

/** One combination of peers and a port. */
interface Conditions {
  readonly word: string
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
  readonly port: CompiledPort | undefined
}

function conditionsOf(
  tables: PolicyTables,
  policy: CompiledPolicy,
  compiled: CompiledRule,
  own: string,
): Conditions[] {
  const { rule, index, ports } = compiled
  const isIngress = rule.direction === 'Ingress'
  const place = { direction: isIngress ? 'ingress' : 'egress', index } as const
  const named = new Map(
    (ports ?? [])
      .filter(({ pods }) => pods !== undefined)
      .map((port, number) => [port, namedPortSet(hashedName(policy), policy.family, place, number)] as const),
  )
  const meaning = (what: string): Meaning => meaningOf(policy, rule.field, what)
  for (const [{ pods = [] }, name] of named)
    tables.sets.set(name, { kind: 'pods', addresses: pods, meaning: meaning('a pod with the named port') })
  return peersOf(tables, policy, compiled, meaning).flatMap(({ word, set }) =>
    (ports ?? [undefined]).map((port): Conditions => {
      const portSet = port && named.get(port)
      const peer = set === undefined ? [] : [set]
      const kind = `${place.direction} ${word}${portSet === undefined ? '' : ' np'}`
      if (isIngress) return { word: kind, sources: peer, destinations: [portSet ?? own], port }
      // the pods with the named port are among the peers
      const isNarrow = word === 'pods' && compiled.ranges === undefined && portSet !== undefined
      const destinations = [...(isNarrow ? [] : peer), ...(portSet === undefined ? [] : [portSet])]
      return { word: kind, sources: [own], destinations, port }
    }),
  )
}

/** The other ends of a rule by their sets: pods, ranges, both or any. */
function peersOf(
  { sets }: PolicyTables,
  policy: CompiledPolicy,
  { rule, index, pods, ranges }: CompiledRule,
  meaning: (what: string) => Meaning,
): PeerSet[] {
  if (rule.peers === undefined) return [{ word: 'any' }]
  const place = { direction: rule.direction === 'Ingress' ? 'ingress' : 'egress', index } as const
  const [name, found] = [hashedName(policy), [] as PeerSet[]]
  if (pods !== undefined && pods.length > 0) {
    const set = peerSet(name, policy.family, place, 'pod')
    sets.set(set, {
      kind: 'pods',
      addresses: pods,
      meaning: meaning('a pod that a peer of the rule selects'),
    })
    found.push({ word: 'pods', set })
  }
  if (ranges !== undefined) {
    const set = peerSet(name, policy.family, place, 'ipblock')
    sets.set(set, { kind: 'ranges', ranges, meaning: meaning('an ipBlock of the rule') })
    found.push({ word: 'cidr', set })
  }
  return found
}

/** What does the action of a rule: it rejects, or marks what it matches and returns it. */
function acting(
  { word, sources, destinations, port }: Conditions,
  action: Action,
  policy: string,
  family: IpFamily,
): Pick<PolicyChainRule, 'rule' | 'returns'> {
  const matches: Match[] = [
    comment(`${policy} ${word}`.slice(0, longestComment)),
    ...sources.map((set) => inSet(set, 'src')),
    ...destinations.map((set) => inSet(set, 'dst')),
  ]
  const { protocol, first, last = first } = port ?? {}
  if (protocol !== undefined && first !== undefined && last !== undefined)
    matches.push({ kind: protocol.toLowerCase() as 'tcp', dport: { value: { first, last } } })
  const conditions = {
    ...(protocol !== undefined && { protocol: { value: protocol.toLowerCase() } }),
    matches,
  }
  if (action === 'Deny') return { rule: { ...conditions, target: reject(family) } }
  const mark = action === 'Accept' ? allowedMark : nextTierMark
  return {
    rule: { ...conditions, target: { kind: 'MARK', setXmark: { value: mark, mask: mark } } },
    returns: true,
  }
}

/** As long as kube-router writes comments (maxCommentLen). */
export const longestComment = 120
