import type { Direction } from '../../cluster/policies/selection.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { comment, isLocal, jump, reject } from '../../netfilter/rules/build.js'
import type { Match, Rule } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { networkPolicyAgent, type Meaning } from '../meaning.js'
import type { Tier } from '../../cluster/policies/clusterPolicies.js'
import type { CompiledPolicy } from './compile.js'
import type { PodAddress } from './podAddress.js'
import { allowedMark, chainNames, nextTierMark, passedMark } from './names.js'
import {
  chainOfPolicy,
  longestComment,
  meaningOf,
  nameOfPolicy,
  noteOf,
  selectorField,
  type PolicyChainRule,
} from './policyChains.js'

/** The chain of a pod: what its policies mark is accepted, the rest is rejected. `all` are in the order of their tiers. */
export function podRules(
  { pod, address }: PodAddress,
  all: readonly CompiledPolicy[],
  family: IpFamily,
): PolicyChainRule[] {
  const ends: Ends = {
    Ingress: { destination: { value: hostRange(address) } },
    Egress: { source: { value: hostRange(address) } },
  }
  const policies = all.filter(({ policy }) => policy.kind === 'NetworkPolicy')
  const isolating = (direction: Direction) => policies.filter(({ rules }) => rules[direction] !== undefined)
  const about = meaningOfPod(pod)
  const byDefault = (direction: Direction): PolicyChainRule[] =>
    isolating(direction).length > 0
      ? []
      : [
          {
            rule: {
              ...ends[direction],
              matches: [comment(`default ${direction.toLowerCase()}`)],
              target: jump(chainNames.default),
            },
            meaning: about(`no policy isolates the pod for ${direction.toLowerCase()}`),
          },
        ]
  const rejected = { value: { value: allowedMark, mask: allowedMark }, negated: true } as const
  const denial = denialOf(pod, isolating)
  return [
    {
      rule: { matches: [comment('common netpol rules')], target: jump(chainNames.common) },
      meaning: about('packets of known connections, and ICMP that every pod may get'),
    },
    {
      rule: {
        ...ends.Ingress,
        matches: [comment('from local node'), isLocal('src')],
        target: { kind: 'ACCEPT' },
      },
      meaning: about('a node always reaches its own pods, for their probes'),
    },
    ...tierJumps('Admin', all, ends),
    ...tierJumps(
      'Baseline',
      all,
      Object.fromEntries(
        Object.entries(ends).filter(([direction]) => isolating(direction as Direction).length === 0),
      ),
    ),
    ...byDefault('Egress'),
    ...byDefault('Ingress'),
    ...policies.toReversed().flatMap((policy) => policyJumps(policy, ends)),
    {
      rule: parseRule(
        `-m comment --comment "${podNote(pod, 'log-drop')}" -m mark ! --mark 0x10000/0x10000 -m limit --limit 10/min --limit-burst 10 -j NFLOG --nflog-group 100`,
      ),
      meaning: about('logs what no policy allows'),
    },
    {
      rule: {
        matches: [comment(podNote(pod, 'reject')), { kind: 'mark', mark: rejected }],
        target: reject(family),
      },
      meaning: denial,
    },
    {
      rule: { matches: [], target: { kind: 'MARK', setXmark: { value: 0, mask: allowedMark } } },
      meaning: about('clears the mark for the chain of the other pod'),
    },
    {
      rule: {
        matches: [comment('set netpol-ok mark')],
        target: { kind: 'MARK', setXmark: { value: passedMark, mask: passedMark } },
      },
      meaning: about('the policies of the pod allow the packet'),
    },
  ]
}

/** The address of a pod as the end of a packet, by direction. */
type Ends = Readonly<Record<Direction, Pick<Rule, 'destination' | 'source'>>>

function policyJumps(policy: CompiledPolicy, ends: Partial<Ends>): PolicyChainRule[] {
  return (['Ingress', 'Egress'] as const).flatMap((direction) => {
    const chain = chainOfPolicy(policy, direction)
    const end = ends[direction]
    if (chain === undefined || end === undefined) return []
    const isOfCluster = policy.policy.kind === 'ClusterNetworkPolicy'
    const verb = isOfCluster ? 'has rules about' : 'isolates'
    const matches = [
      comment(`${nameOfPolicy(policy)} policy`.slice(0, longestComment)),
      ...(isOfCluster ? [undecided] : []),
    ]
    return [
      {
        rule: { ...end, matches, target: jump(chain) },
        note: noteOf(policy, selectorField(policy)),
        meaning: meaningOf(
          policy,
          selectorField(policy),
          `the policy ${verb} the pod for ${direction.toLowerCase()}`,
        ),
      },
    ]
  })
}

/** No rule of a tier has accepted the packet yet, or passed it to the next tier. */
const undecided = {
  kind: 'mark',
  mark: { value: { value: 0, mask: allowedMark | nextTierMark } },
} as const satisfies Match

/** The jumps to the policies of a tier, in the order in which they are evaluated; what they pass is for the next tier. */
function tierJumps(tier: Tier, all: readonly CompiledPolicy[], ends: Partial<Ends>): PolicyChainRule[] {
  const own = all.filter(({ policy }) => policy.kind === 'ClusterNetworkPolicy' && policy.spec.tier === tier)
  const jumps = own.flatMap((policy) => policyJumps(policy, ends))
  if (jumps.length === 0) return []
  return [
    ...jumps,
    {
      rule: {
        matches: [comment(`end of tier ${tier}`)],
        target: { kind: 'MARK', setXmark: { value: 0, mask: nextTierMark } },
      },
      meaning: { owner: networkPolicyAgent, why: `the policies of tier ${tier} end here` },
    },
  ]
}

/** What rejects a packet: the policies that isolate the pod, and do not allow it. */
function denialOf(
  pod: PodAddress['pod'],
  isolating: (direction: Direction) => readonly CompiledPolicy[],
): Meaning {
  const named = (direction: Direction) => {
    const names = isolating(direction).map(nameOfPolicy)
    return names.length === 0 ? [] : [`${direction.toLowerCase()}: ${names.join(', ')}`]
  }
  const [first] = [...isolating('Ingress'), ...isolating('Egress')]
  const all = [...named('Ingress'), ...named('Egress')].join('; ')
  if (first === undefined) return meaningOfPod(pod)('no policy isolates the pod')
  return meaningOf(
    first,
    'spec.policyTypes',
    `no rule of the policies that isolate the pod allows it (${all})`,
  )
}

/** What is for a pod. */
export function meaningOfPod({ metadata }: PodAddress['pod']): (why: string) => Meaning {
  const { namespace = 'default', name } = metadata
  return (why) => ({ owner: networkPolicyAgent, why, object: { kind: 'Pod', namespace, name } })
}

/** What a comment says about a pod: `default/web reject`. */
export function podNote({ metadata }: PodAddress['pod'], word: string): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name} ${word}`.slice(0, longestComment)
}

/** An address as iptables-save prints it. */
export function hostRange(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`
}
