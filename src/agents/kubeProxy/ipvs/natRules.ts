import type { IpFamily } from '../../../net/ipFamily.js'
import type { LocalDetector } from '../detectLocal.js'
import { markMasqRules, postroutingRules } from '../iptables/baseRules.js'
import { comment, inSet, isLocal, jump, type Addresses } from '../../../netfilter/rules/build.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { fromPods } from '../iptables/rule.js'
import { ipvsChain } from './chainNames.js'
import type { IpvsReason } from './texts.js'
import { nameInFamily, setDefinitions, type SetName } from './sets.js'
import type { IpvsRule, IpvsState } from './types.js'

/** What determines the rules, besides the sets' entries. */
export interface NatOptions {
  readonly family: IpFamily
  readonly sets: IpvsState['sets']
  readonly mark: number
  readonly randomFully: boolean
  readonly masqueradeAll: boolean
  readonly detector: LocalDetector | undefined
}

/** The rules of table nat; mirrors writeIptablesRules. A rule on a set exists only if the set is not empty. */
export function natRules(options: NatOptions): readonly IpvsRule[] {
  const { family, sets } = options
  const rules: IpvsRule[] = []
  const add = (
    chain: string,
    matches: readonly Match[],
    target: Target,
    reason: IpvsReason,
    other: Addresses = {},
  ) => rules.push({ chain, ...other, matches, target, reason })
  const asked = (name: SetName, fields: string) => inSet(nameInFamily(name, family), fields)
  const ask = (name: SetName, fields: string) => [comment(setDefinitions[name].comment), asked(name, fields)]
  const filled = (name: SetName) => sets[name].length > 0
  const { services, postrouting, nodePort, loadBalancer, markMasq } = ipvsChain

  const loopback = family === 'IPv4' ? '127.0.0.0/8' : '::1/128'
  add(services, [], { kind: 'RETURN' }, 'loopback', {
    source: { value: loopback },
  })
  if (filled('KUBE-LOOP-BACK'))
    add(postrouting, ask('KUBE-LOOP-BACK', 'dst,dst,src'), { kind: 'MASQUERADE' }, 'hairpin')
  if (filled('KUBE-LOAD-BALANCER'))
    add(services, ask('KUBE-LOAD-BALANCER', 'dst,dst'), jump(loadBalancer), 'loadBalancer')
  if (filled('KUBE-LOAD-BALANCER-LOCAL'))
    add(loadBalancer, ask('KUBE-LOAD-BALANCER-LOCAL', 'dst,dst'), { kind: 'RETURN' }, 'loadBalancerLocal')
  for (const { protocol, all, local, fields } of nodePortSets) {
    const ofProtocol = { protocol: { value: protocol } }
    if (filled(local)) add(nodePort, ask(local, fields), { kind: 'RETURN' }, 'nodePortLocal', ofProtocol)
    if (filled(all)) add(nodePort, ask(all, fields), jump(markMasq), 'nodePortMasquerade', ofProtocol)
  }
  if (filled('KUBE-CLUSTER-IP')) {
    const fields = options.masqueradeAll || options.detector ? 'dst,dst' : 'src,dst'
    const [sources, reason] = clusterIPSources(options)
    add(services, ask('KUBE-CLUSTER-IP', fields), jump(markMasq), reason, sources)
  }
  if (filled('KUBE-EXTERNAL-IP'))
    add(services, ask('KUBE-EXTERNAL-IP', 'dst,dst'), jump(markMasq), 'externalIPMasquerade')
  for (const name of ['KUBE-EXTERNAL-IP', 'KUBE-EXTERNAL-IP-LOCAL'] as const) {
    if (!filled(name)) continue
    add(
      services,
      [
        ...ask(name, 'dst,dst'),
        { kind: 'physdev', physdevIsIn: false },
        { kind: 'addrtype', srcType: { value: ['LOCAL'], negated: true } },
      ],
      { kind: 'ACCEPT' },
      'externalIPFromOutside',
    )
    add(services, [...ask(name, 'dst,dst'), isLocal('dst')], { kind: 'ACCEPT' }, 'externalIPHere')
  }
  add(services, [isLocal('dst')], jump(nodePort), 'maybeNodePort')
  add(loadBalancer, [], jump(markMasq), 'loadBalancerMasquerade')
  for (const name of ['KUBE-CLUSTER-IP', 'KUBE-LOAD-BALANCER'] as const) {
    if (!filled(name)) continue
    add(services, [asked(name, 'dst,dst')], { kind: 'ACCEPT' }, 'leftToIpvs')
  }
  return [...rules, ...postroutingRules(options.mark, options.randomFully), ...markMasqRules(options.mark)]
}

const nodePortSets = [
  { protocol: 'tcp', all: 'KUBE-NODE-PORT-TCP', local: 'KUBE-NODE-PORT-LOCAL-TCP', fields: 'dst' },
  { protocol: 'udp', all: 'KUBE-NODE-PORT-UDP', local: 'KUBE-NODE-PORT-LOCAL-UDP', fields: 'dst' },
  {
    protocol: 'sctp',
    all: 'KUBE-NODE-PORT-SCTP-HASH',
    local: 'KUBE-NODE-PORT-LOCAL-SCTP-HASH',
    fields: 'dst,dst',
  },
] as const

function clusterIPSources({
  masqueradeAll,
  detector,
}: NatOptions): readonly [sources: Addresses, reason: IpvsReason] {
  if (masqueradeAll) return [{}, 'masqueradeAll']
  if (detector === undefined) {
    return [{}, 'fromServiceAddress']
  }
  return [fromPods(detector, true), 'masqueradeClusterIP']
}
