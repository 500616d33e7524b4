import type { IpFamily } from '../../../net/ipFamily.js'
import { comment, ctstate, inSet, jump, marked, reject } from '../../../netfilter/rules/build.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { protocolNumbers } from '../iptables/rule.js'
import type { ServicePort } from '../servicePort.js'
import { ipvsChain } from './chainNames.js'
import type { IpvsReason } from './texts.js'
import { allowsNode } from './frontends.js'
import { nameInFamily, setDefinitions, type SetName } from './sets.js'
import type { IpvsRule, IpvsState } from './types.js'

/** What determines the rules, besides the sets' entries. */
export interface FilterOptions {
  readonly family: IpFamily
  readonly sets: IpvsState['sets']
  readonly mark: number
  readonly nodeIP: string
  readonly servicePorts: readonly ServicePort[]
}

/** The rules of table filter; mirrors writeIptablesRules and, for the node's own packets, syncProxyRules. */
export function filterRules({
  family,
  sets,
  mark,
  nodeIP,
  servicePorts,
}: FilterOptions): readonly IpvsRule[] {
  const rules: IpvsRule[] = []
  const add = (chain: string, matches: readonly Match[], target: Target, reason: IpvsReason) =>
    rules.push({ chain, matches, target, reason })
  const asked = (name: SetName, fields: string) => inSet(nameInFamily(name, family), fields)
  const noted = (name: SetName, fields: string) => [
    comment(setDefinitions[name].comment),
    asked(name, fields),
  ]
  const { proxyFirewall, sourceRanges, outFilter, forward, nodePort, filter } = ipvsChain

  for (const rule of nodeOutOfRange(servicePorts, nodeIP, outFilter)) rules.push(rule)
  if (sets['KUBE-LOAD-BALANCER-FW'].length > 0)
    add(proxyFirewall, noted('KUBE-LOAD-BALANCER-FW', 'dst,dst'), jump(sourceRanges), 'hasSourceRanges')
  if (sets['KUBE-LOAD-BALANCER-SOURCE-CIDR'].length > 0)
    add(
      sourceRanges,
      noted('KUBE-LOAD-BALANCER-SOURCE-CIDR', 'dst,dst,src'),
      { kind: 'RETURN' },
      'sourceRange',
    )
  if (sets['KUBE-LOAD-BALANCER-SOURCE-IP'].length > 0)
    add(
      sourceRanges,
      noted('KUBE-LOAD-BALANCER-SOURCE-IP', 'dst,dst,src'),
      { kind: 'RETURN' },
      'sourceRangeNode',
    )
  add(sourceRanges, [], { kind: 'DROP' }, 'allOthers')
  add(forward, [comment('kubernetes forwarding rules'), marked(mark)], { kind: 'ACCEPT' }, 'forwardMarked')
  add(
    forward,
    [comment('kubernetes forwarding conntrack rule'), ctstate('RELATED', 'ESTABLISHED')],
    { kind: 'ACCEPT' },
    'forwardEstablished',
  )
  add(nodePort, noted('KUBE-HEALTH-CHECK-NODE-PORT', 'dst'), { kind: 'ACCEPT' }, 'healthCheckNodePort')
  for (const [name, fields] of served) add(filter, [asked(name, fields)], { kind: 'RETURN' }, 'servedPort')
  add(filter, [ctstate('NEW'), asked('KUBE-IPVS-IPS', 'dst')], reject(family), 'otherPort')
  return rules
}

const served: readonly (readonly [name: SetName, fields: string])[] = [
  ['KUBE-LOAD-BALANCER', 'dst,dst'],
  ['KUBE-CLUSTER-IP', 'dst,dst'],
  ['KUBE-EXTERNAL-IP', 'dst,dst'],
  ['KUBE-EXTERNAL-IP-LOCAL', 'dst,dst'],
  ['KUBE-HEALTH-CHECK-NODE-PORT', 'dst'],
]

/** The node's outgoing packets do not pass INPUT: one rule for each address that the node may not use. */
function nodeOutOfRange(ports: readonly ServicePort[], nodeIP: string, chain: string): readonly IpvsRule[] {
  return ports
    .filter((port) => port.sourceRanges.length > 0 && !allowsNode(port, nodeIP))
    .flatMap((port) =>
      port.loadBalancerVIPs.map((address) => ({
        chain,
        source: { value: address },
        matches: [toVirtualServer(address, port)],
        target: { kind: 'DROP' } as const,
        reason: 'nodeOutsideSourceRanges',
        port,
      })),
    )
}

/** IPVS balances the packet for this virtual server. */
function toVirtualServer(address: string, { protocolName, port }: ServicePort): Match {
  return {
    kind: 'ipvs',
    vproto: { value: protocolNumbers[protocolName] },
    vaddr: { value: address },
    vport: { value: port },
  }
}
