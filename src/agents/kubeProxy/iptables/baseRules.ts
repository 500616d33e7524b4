import type { IpFamily } from '../../../net/ipFamily.js'
import type { NodePortAddresses } from '../nodeAddresses.js'
import { has } from '../versions/features.js'
import type { MinorVersion } from '../versions/version.js'
import { baseChain, sharedChains } from './chainNames.js'
import { comment, ctstate, isLocal, jump, marked, type Conditions } from '../../../netfilter/rules/build.js'
import type { Match } from '../../../netfilter/rules/model.js'
import type { Rule } from './rule.js'

/** Tables that kube-proxy writes to. */
export type TableName = 'mangle' | 'nat' | 'filter'

/** A jump from a built-in chain to one of kube-proxy's. */
export interface JumpRule extends Rule {
  readonly table: TableName
}

/** The accounting objects that kube-proxy counts with where the kernel has nfacct. */
export const nfacctCounter = {
  invalidDropped: 'ct_state_invalid_dropped_pkts',
  localhostNodePorts: 'localhost_nps_accepted_pkts',
} as const

const newConnection = ctstate('NEW')

/** The jump rules of a version; see `jumpRules`. */
export function jumpRulesOf(version: MinorVersion): readonly JumpRule[] {
  const { filter } = sharedChains(version)
  return jumpRules.filter(
    ({ table, target }) => table !== 'filter' || target?.kind !== 'jump' || filter.includes(target.chain),
  )
}

/**
 * The jump rules in the order in which kube-proxy makes them, each inserted at the top of its chain: a chain's last
 * one comes first. Mirrors iptablesJumpChains and iptablesKubeletJumpChains.
 */
const jumpRules: readonly JumpRule[] = [
  ...jumps('filter', ['INPUT', 'FORWARD'], baseChain.externalServices, [
    newConnection,
    comment('kubernetes externally-visible service portals'),
  ]),
  ...jumps('filter', ['INPUT'], baseChain.nodePorts, [comment('kubernetes health check service ports')]),
  ...jumps('filter', ['FORWARD', 'OUTPUT'], baseChain.services, [
    newConnection,
    comment('kubernetes service portals'),
  ]),
  ...jumps('filter', ['FORWARD'], baseChain.forward, [comment('kubernetes forwarding rules')]),
  ...jumps('filter', ['INPUT', 'OUTPUT', 'FORWARD'], baseChain.proxyFirewall, [
    newConnection,
    comment('kubernetes load balancer firewall'),
  ]),
  ...jumps('nat', ['OUTPUT', 'PREROUTING'], baseChain.services, [comment('kubernetes service portals')]),
  ...jumps('nat', ['POSTROUTING'], baseChain.postrouting, [comment('kubernetes postrouting rules')]),
  ...jumps('filter', ['INPUT', 'OUTPUT'], baseChain.kubeletFirewall, []),
]

/** SNAT for marked packets, as they leave. */
export function postroutingRules(mark: number, randomFully: boolean): readonly Rule[] {
  const chain = baseChain.postrouting
  return [
    {
      chain,
      matches: [{ kind: 'mark', mark: { value: { value: mark, mask: mark }, negated: true } }],
      target: { kind: 'RETURN' },
      reason: 'postroutingUnmarked',
    },
    {
      chain,
      matches: [],
      target: { kind: 'MARK', setXmark: { value: mark, mask: 0 } },
      reason: 'postroutingUnmark',
    },
    {
      chain,
      matches: [comment('kubernetes service traffic requiring SNAT')],
      target: { kind: 'MASQUERADE', ...(randomFully ? { randomFully } : {}) },
      reason: 'postroutingMasquerade',
    },
  ]
}

/** The chain that marks packets to be masqueraded later. */
export function markMasqRules(mark: number): readonly Rule[] {
  return [
    {
      chain: baseChain.markMasq,
      matches: [],
      target: { kind: 'MARK', setXmark: { value: mark, mask: mark } },
      reason: 'markForMasquerade',
    },
  ]
}

/** Packets forwarded whatever the policy of FORWARD; invalid ones are dropped, so that they do not reset a connection. */
export function forwardRules(
  mark: number,
  options: { dropInvalid: boolean; nfacct: boolean },
): readonly Rule[] {
  const chain = baseChain.forward
  const counted: readonly Match[] = options.nfacct
    ? [{ kind: 'nfacct', nfacctName: nfacctCounter.invalidDropped }]
    : []
  const dropInvalid: Rule = {
    chain,
    matches: [ctstate('INVALID'), ...counted],
    target: { kind: 'DROP' },
    reason: 'forwardInvalid',
  }
  return [
    ...(options.dropInvalid ? [dropInvalid] : []),
    {
      chain,
      matches: [comment('kubernetes forwarding rules'), marked(mark)],
      target: { kind: 'ACCEPT' },
      reason: 'forwardMarked',
    },
    {
      chain,
      matches: [comment('kubernetes forwarding conntrack rule'), ctstate('RELATED', 'ESTABLISHED')],
      target: { kind: 'ACCEPT' },
      reason: 'forwardEstablished',
    },
  ]
}

/** Blocks other hosts from 127.0.0.0/8, which route_localnet would allow; identical to kubelet's rule. */
export function localnetFirewallRules(): readonly Rule[] {
  return [
    {
      chain: baseChain.kubeletFirewall,
      destination: { value: '127.0.0.0/8' },
      source: { value: '127.0.0.0/8', negated: true },
      matches: [
        comment('block incoming localnet connections'),
        { kind: 'conntrack', ctstate: { value: ['RELATED', 'ESTABLISHED', 'DNAT'], negated: true } },
      ],
      target: { kind: 'DROP' },
      reason: 'localnetFirewall',
    },
  ]
}

/** The last rules of nat KUBE-SERVICES: which destination addresses accept node ports. */
export function nodePortJumps(
  addresses: NodePortAddresses,
  family: IpFamily,
  version: MinorVersion,
): readonly Rule[] {
  const note = comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain')
  const rule = ({ matches, ...addresses }: Conditions): Rule => ({
    chain: baseChain.services,
    ...addresses,
    matches: [note, ...matches],
    target: jump(baseChain.nodePorts),
    reason: 'nodePorts',
  })
  if (!addresses.matchAll) {
    return addresses.addresses.map((address) => rule({ destination: { value: address }, matches: [] }))
  }
  const local = { matches: [isLocal('dst')] }
  if (addresses.localhost || !has(version, 'localhostNodePorts')) return [rule(local)]
  const loopback = family === 'IPv4' ? '127.0.0.0/8' : '::1/128'
  return [rule({ ...local, destination: { value: loopback, negated: true } })]
}

function jumps(
  table: TableName,
  chains: readonly string[],
  target: string,
  matches: readonly Match[],
): readonly JumpRule[] {
  return chains.map((chain) => ({ table, chain, matches, target: jump(target), reason: 'jump' }))
}
