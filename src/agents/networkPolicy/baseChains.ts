import type { IpFamily } from '../../net/ipFamily.js'
import { comment, ctstate, isLocal, jump, marked } from '../../netfilter/rules/build.js'
import type { Rule } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import type { AgentNode } from '../agent.js'
import { networkPolicyAgent } from '../meaning.js'
import { allowedMark, chainNames, hashOf, passedMark } from './names.js'
import type { PolicyChainRule } from './policyChains.js'

/** A rule that no policy and no pod has for itself. */
export const because =
  (why: string) =>
  (rule: Rule): PolicyChainRule => ({
    rule,
    meaning: { owner: networkPolicyAgent, why },
  })

/** What INPUT allows before the policies of pods: addresses of Services and node ports, which are translated before or after it. */
export function servicesFirst({ serviceRange, nodePorts }: AgentNode, family: IpFamily): PolicyChainRule[] {
  const range = serviceRange[family]
  const text = 'allow traffic to primary/secondary cluster IP range'
  const noted = (words: readonly string[], note: string) =>
    comment(`${note} - ${hashOf(`${chainNames.INPUT}${words.join('')}`)}`)
  const toRange = ['-m', 'comment', '--comment', text, '-d', range, '-j', 'RETURN']
  const ports = `${nodePorts.first}:${nodePorts.last}`
  return [
    because('packets to Services: the policies decide about the pod behind them')({
      destination: { value: range },
      matches: [noted(toRange, text)],
      target: { kind: 'RETURN' },
    }),
    ...(['tcp', 'udp', 'sctp'] as const).map((protocol) => {
      const note = `allow LOCAL ${protocol.toUpperCase()} traffic to node ports`
      const words = [
        ...['-p', protocol, '-m', 'comment', '--comment', note, '-m', 'addrtype', '--dst-type', 'LOCAL'],
        ...['-m', 'multiport', '--dports', ports, '-j', 'RETURN'],
      ]
      return because('packets to node ports: the policies decide about the pod behind them')({
        protocol: { value: protocol },
        matches: [noted(words, note), isLocal('dst'), { kind: 'multiport', dports: { value: [nodePorts] } }],
        target: { kind: 'RETURN' },
      })
    }),
  ]
}

/** The last rules of the chain of every hook. */
export function hookEnd(): PolicyChainRule[] {
  return [
    because('accepts what the policies of its pods allow')({
      matches: [comment('rule to explicitly handle traffic for network policies ACCEPT/REJECT decision')],
      target: jump(chainNames.tail),
    }),
    because('accepts what the policies of its pods allow')({
      matches: [
        comment('rule to explicitly ACCEPT traffic that comply to network policies'),
        marked(passedMark),
      ],
      target: { kind: 'ACCEPT' },
    }),
  ]
}

/** The chains that every pod shares. */
export function sharedChains(family: IpFamily): readonly (readonly [string, readonly PolicyChainRule[]])[] {
  return [
    [
      chainNames.default,
      [
        because('no policy isolates the pod: everything is allowed')({
          matches: [comment('rule to mark traffic matching a network policy')],
          target: { kind: 'MARK', setXmark: { value: allowedMark, mask: allowedMark } },
        }),
      ],
    ],
    [
      chainNames.common,
      [
        because('packets that belong to no connection')({
          matches: [comment('rule to drop invalid state for pod'), ctstate('INVALID')],
          target: { kind: 'DROP' },
        }),
        because('replies, and connections that were allowed before')({
          matches: [comment('rule for stateful firewall for pod'), ctstate('RELATED', 'ESTABLISHED')],
          target: { kind: 'ACCEPT' },
        }),
        ...icmp[family].map(([note, type]) =>
          because('ICMP that every pod may get')(
            parseRule(`${icmpMatch[family].replace('%', note)} ${type} -j ACCEPT`),
          ),
        ),
      ],
    ],
    [
      chainNames.tail,
      [
        because('accepts what the policies of its pods allow')({
          matches: [comment('accept netpol-ok'), marked(passedMark)],
          target: { kind: 'ACCEPT' },
        }),
      ],
    ],
  ]
}

const icmpMatch = {
  IPv4: '-p icmp -m comment --comment "%" -m icmp --icmp-type',
  IPv6: '-p ipv6-icmp -m comment --comment "%" -m icmp6 --icmpv6-type',
} as const

/** CommonICMPRules of kube-router: comments and types. */
const icmp = {
  IPv4: [
    ['allow icmp echo requests', 8],
    ['allow icmp destination unreachable messages', 3],
    ['allow icmp time exceeded messages', 11],
  ],
  IPv6: [
    ['allow icmp echo requests', 128],
    ['allow icmp destination unreachable messages', 1],
    ['allow icmp time exceeded messages', 3],
    ['allow icmp neighbor solicitation messages', 135],
    ['allow icmp neighbor advertisement messages', 136],
    ['allow icmp echo reply messages', 129],
  ],
} as const
