import type { Direction } from '../../cluster/policies/selection.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { comment, inSet, marked } from '../../netfilter/rules/build.js'
import type { Match, Rule } from '../../netfilter/rules/model.js'
import { networkPolicyAgent, type Meaning } from '../meaning.js'
import type { CompiledPolicy, CompiledPort, CompiledRule } from './compile.js'
import { allowedMark, namedPortSet, peerSet, policyChain, targetSet } from './names.js'

/** An ipset of the agent. */
export interface PolicySet {
  readonly type: 'hash:ip' | 'hash:net'
  /** As ipset lists them; those with ` nomatch` are exceptions. */
  readonly entries: ReadonlySet<string>
  readonly meaning: Meaning
}

/** A rule of the agent, and what it is for. */
export interface PolicyChainRule {
  readonly rule: Rule
  readonly meaning: Meaning
}

/** Chains by name, in the order in which they are written, and the sets that their rules match. */
export interface PolicyTables {
  readonly sets: Map<string, PolicySet>
  readonly chains: Map<string, readonly PolicyChainRule[]>
}

/** The chain in which the rules of a policy for a direction are; undefined if it does not isolate in it. */
export function chainOfPolicy(
  { name, rules }: CompiledPolicy,
  direction: Direction,
  family: IpFamily,
): string | undefined {
  if (rules[direction] === undefined) return undefined
  // in one chain, egress between two pods of a policy would pass as their ingress
  const second = direction === 'Egress' && rules.Ingress !== undefined ? 'egress' : ''
  return policyChain(name, family, second)
}

/** Adds the chains of a policy, which mark what it allows, and their sets. */
export function addPolicy(tables: PolicyTables, policy: CompiledPolicy, family: IpFamily): void {
  for (const direction of ['Ingress', 'Egress'] as const) {
    const chain = chainOfPolicy(policy, direction, family)
    if (chain === undefined) continue
    const side = direction === 'Ingress' ? 'DST' : 'SRC'
    const own = targetSet(policy.name, family, side)
    const { targets, name } = policy
    tables.sets.set(own, {
      type: 'hash:ip',
      entries: new Set(targets.map(({ address }) => address)),
      meaning: meaningOf(policy, 'spec.podSelector', 'a pod that the policy selects'),
    })
    const rules = (policy.rules[direction] ?? []).flatMap((rule) => {
      const meaning = meaningOf(policy, rule.rule.field, 'allowed by the policy')
      return conditionsOf(tables, policy, rule, own, family).flatMap((conditions) =>
        marking(conditions, `${name.namespace}/${name.name}`).map((one) => ({ rule: one, meaning })),
      )
    })
    tables.chains.set(chain, rules)
  }
}

function meaningOf({ name }: CompiledPolicy, field: string, why: string): Meaning {
  return { owner: networkPolicyAgent, why, object: { kind: 'NetworkPolicy', ...name, field } }
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
  family: IpFamily,
): Conditions[] {
  const { rule, index, ports } = compiled
  const isIngress = rule.direction === 'Ingress'
  const place = { direction: isIngress ? 'ingress' : 'egress', index } as const
  const named = new Map(
    (ports ?? [])
      .filter(({ pods }) => pods !== undefined)
      .map((port, number) => [port, namedPortSet(policy.name, family, place, number)] as const),
  )
  const meaning = (what: string): Meaning => meaningOf(policy, rule.field, what)
  for (const [{ pods = [] }, name] of named)
    tables.sets.set(name, setOf('hash:ip', pods, meaning('a pod with the named port')))
  return peersOf(tables, policy, compiled, family, meaning).flatMap(({ word, set }) =>
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
  { name }: CompiledPolicy,
  { rule, index, pods, ranges }: CompiledRule,
  family: IpFamily,
  meaning: (what: string) => Meaning,
): PeerSet[] {
  if (rule.peers === undefined) return [{ word: 'any' }]
  const place = { direction: rule.direction === 'Ingress' ? 'ingress' : 'egress', index } as const
  const found: PeerSet[] = []
  if (pods !== undefined && pods.length > 0) {
    const set = peerSet(name, family, place, 'pod')
    sets.set(set, setOf('hash:ip', pods, meaning('a pod that a peer of the rule selects')))
    found.push({ word: 'pods', set })
  }
  if (ranges !== undefined) {
    const set = peerSet(name, family, place, 'ipblock')
    const entries = ranges.map(({ range, isException }) => `${range}${isException ? ' nomatch' : ''}`)
    sets.set(set, setOf('hash:net', entries, meaning('an ipBlock of the rule')))
    found.push({ word: 'cidr', set })
  }
  return found
}

function setOf(type: PolicySet['type'], entries: readonly string[], meaning: Meaning): PolicySet {
  return { type, entries: new Set(entries), meaning }
}

/** A rule that marks what it matches, and one that returns it. */
function marking({ word, sources, destinations, port }: Conditions, policy: string): Rule[] {
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
  return [
    { ...conditions, target: { kind: 'MARK', setXmark: { value: allowedMark, mask: allowedMark } } },
    { ...conditions, matches: [...matches, marked(allowedMark)], target: { kind: 'RETURN' } },
  ]
}

/** As long as kube-router writes comments (maxCommentLen). */
export const longestComment = 120
