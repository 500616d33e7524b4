import type { Direction } from '../../cluster/policies/selection.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { comment, isLocal, jump, reject } from '../../netfilter/rules/build.js'
import type { Rule } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { networkPolicyAgent, type Meaning } from '../meaning.js'
import type { CompiledPolicy, PodAddress } from './compile.js'
import { allowedMark, chainNames, hooks, passedMark, podChain } from './names.js'
import { chainOfPolicy, longestComment, type PolicyChainRule } from './policyChains.js'

/** The chain of a pod: what its policies mark is accepted, the rest is rejected. */
export function podRules(
  { pod, address }: PodAddress,
  policies: readonly CompiledPolicy[],
  family: IpFamily,
): PolicyChainRule[] {
  const to = { destination: { value: hostRange(address) } }
  const from = { source: { value: hostRange(address) } }
  const isolating = (direction: Direction) => policies.filter(({ rules }) => rules[direction] !== undefined)
  const about = meaningOfPod(pod)
  const byDefault = (direction: Direction): PolicyChainRule[] =>
    isolating(direction).length > 0
      ? []
      : [
          {
            rule: {
              ...(direction === 'Ingress' ? to : from),
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
      rule: { ...to, matches: [comment('from local node'), isLocal('src')], target: { kind: 'ACCEPT' } },
      meaning: about('a node always reaches its own pods, for their probes'),
    },
    ...byDefault('Egress'),
    ...byDefault('Ingress'),
    ...policies.toReversed().flatMap((policy) => policyJumps(policy, { to, from }, family)),
    {
      rule: parseRule(
        `-m comment --comment "${noteOf(pod, 'log-drop')}" -m mark ! --mark 0x10000/0x10000 -m limit --limit 10/min --limit-burst 10 -j NFLOG --nflog-group 100`,
      ),
      meaning: about('logs what no policy allows'),
    },
    {
      rule: {
        matches: [comment(noteOf(pod, 'reject')), { kind: 'mark', mark: rejected }],
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

function policyJumps(
  policy: CompiledPolicy,
  { to, from }: { readonly to: Pick<Rule, 'destination'>; readonly from: Pick<Rule, 'source'> },
  family: IpFamily,
): PolicyChainRule[] {
  const { namespace, name } = policy.name
  return (['Ingress', 'Egress'] as const).flatMap((direction) => {
    const chain = chainOfPolicy(policy, direction, family)
    if (chain === undefined) return []
    return [
      {
        rule: {
          ...(direction === 'Ingress' ? to : from),
          matches: [comment(`${namespace}/${name} policy`.slice(0, longestComment))],
          target: jump(chain),
        },
        meaning: {
          owner: networkPolicyAgent,
          why: `the policy isolates the pod for ${direction.toLowerCase()}`,
          object: { kind: 'NetworkPolicy', namespace, name, field: 'spec.podSelector' },
        },
      },
    ]
  })
}

/** What rejects a packet: the policies that isolate the pod, and do not allow it. */
function denialOf(
  pod: PodAddress['pod'],
  isolating: (direction: Direction) => readonly CompiledPolicy[],
): Meaning {
  const named = (direction: Direction) => {
    const names = isolating(direction).map(({ name }) => `${name.namespace}/${name.name}`)
    return names.length === 0 ? [] : [`${direction.toLowerCase()}: ${names.join(', ')}`]
  }
  const [first] = [...isolating('Ingress'), ...isolating('Egress')]
  const all = [...named('Ingress'), ...named('Egress')].join('; ')
  if (first === undefined) return meaningOfPod(pod)('no policy isolates the pod')
  return {
    owner: networkPolicyAgent,
    why: `no rule of the policies that isolate the pod allows it (${all})`,
    object: { kind: 'NetworkPolicy', ...first.name, field: 'spec.policyTypes' },
  }
}

function meaningOfPod({ metadata }: PodAddress['pod']): (why: string) => Meaning {
  const { namespace = 'default', name } = metadata
  return (why) => ({ owner: networkPolicyAgent, why, object: { kind: 'Pod', namespace, name } })
}

function noteOf({ metadata }: PodAddress['pod'], word: string): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name} ${word}`.slice(0, longestComment)
}

/** An address as iptables-save prints it. */
function hostRange(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`
}

/** The jumps to the chain of a pod, by the chain that they are in: to the pod, and from it; on bridges too. */
export function podJumps({
  pod,
  address,
}: PodAddress): (PolicyChainRule & { readonly chain: (typeof chainNames)[(typeof hooks)[number]] })[] {
  const { namespace = 'default', name } = pod.metadata
  const target = jump(podChain({ namespace, name }))
  const about = meaningOfPod(pod)
  const bridged = { kind: 'physdev', physdevIsBridged: true } as const
  const rules = (side: 'in' | 'out', isBridged: boolean): Rule => ({
    ...(side === 'in'
      ? { destination: { value: hostRange(address) } }
      : { source: { value: hostRange(address) } }),
    matches: [...(isBridged ? [bridged] : []), comment(noteOf(pod, side))],
    target,
  })
  const to = about('packets to the pod')
  const from = about('packets of the pod')
  return [
    { chain: chainNames.FORWARD, rule: rules('in', false), meaning: to },
    { chain: chainNames.OUTPUT, rule: rules('in', false), meaning: to },
    { chain: chainNames.FORWARD, rule: rules('in', true), meaning: to },
    ...hooks.map((hook) => ({ chain: chainNames[hook], rule: rules('out', false), meaning: from })),
    { chain: chainNames.FORWARD, rule: rules('out', true), meaning: from },
  ]
}
