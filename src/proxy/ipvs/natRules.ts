import type { IpFamily } from '../../net/ipFamily.js'
import type { LocalDetector } from '../detectLocal.js'
import { markMasqRules, postroutingRules } from '../iptables/baseRules.js'
import { explainRule } from '../iptables/explain.js'
import { comment, inSet, isLocal, jump, type Addresses } from '../../netfilter/rules/build.js'
import type { Match, Target } from '../../netfilter/rules/model.js'
import { fromPods } from '../iptables/rule.js'
import { ipvsChain } from './chainNames.js'
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

const keepSource = 'externalTrafficPolicy Local: the client’s address is preserved'
const masqueradeNodePort = 'a node port: masqueraded, because the endpoint may be on another node'

/** The rules of table nat; mirrors writeIptablesRules. A rule on a set exists only if the set is not empty. */
export function natRules(options: NatOptions): readonly IpvsRule[] {
  const { family, sets } = options
  const rules: IpvsRule[] = []
  const add = (
    chain: string,
    matches: readonly Match[],
    target: Target,
    reason: string,
    other: Addresses = {},
  ) => rules.push({ chain, ...other, matches, target, reason })
  const asked = (name: SetName, fields: string) => inSet(nameInFamily(name, family), fields)
  const ask = (name: SetName, fields: string) => [comment(setDefinitions[name].comment), asked(name, fields)]
  const filled = (name: SetName) => sets[name].length > 0
  const { services, postrouting, nodePort, loadBalancer, markMasq } = ipvsChain

  const loopback = family === 'IPv4' ? '127.0.0.0/8' : '::1/128'
  add(services, [], { kind: 'RETURN' }, 'Services are not served on loopback', {
    source: { value: loopback },
  })
  if (filled('KUBE-LOOP-BACK'))
    add(
      postrouting,
      ask('KUBE-LOOP-BACK', 'dst,dst,src'),
      { kind: 'MASQUERADE' },
      'a pod that connects to itself through its Service: masqueraded, otherwise its replies would bypass the NAT',
    )
  if (filled('KUBE-LOAD-BALANCER'))
    add(
      services,
      ask('KUBE-LOAD-BALANCER', 'dst,dst'),
      jump(loadBalancer),
      'status.loadBalancer.ingress: checks whether to masquerade',
    )
  if (filled('KUBE-LOAD-BALANCER-LOCAL'))
    add(loadBalancer, ask('KUBE-LOAD-BALANCER-LOCAL', 'dst,dst'), { kind: 'RETURN' }, keepSource)
  for (const { protocol, all, local, fields } of nodePortSets) {
    const ofProtocol = { protocol: { value: protocol } }
    if (filled(local)) add(nodePort, ask(local, fields), { kind: 'RETURN' }, keepSource, ofProtocol)
    if (filled(all)) add(nodePort, ask(all, fields), jump(markMasq), masqueradeNodePort, ofProtocol)
  }
  if (filled('KUBE-CLUSTER-IP')) {
    const fields = options.masqueradeAll || options.detector ? 'dst,dst' : 'src,dst'
    const [sources, reason] = clusterIPSources(options)
    add(services, ask('KUBE-CLUSTER-IP', fields), jump(markMasq), reason, sources)
  }
  if (filled('KUBE-EXTERNAL-IP'))
    add(
      services,
      ask('KUBE-EXTERNAL-IP', 'dst,dst'),
      jump(markMasq),
      'spec.externalIPs: masqueraded, because the endpoint may be on another node',
    )
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
      'from outside, not from a pod behind a bridge: no further iptables NAT',
    )
    add(
      services,
      [...ask(name, 'dst,dst'), isLocal('dst')],
      { kind: 'ACCEPT' },
      'the external IP is on this node: no further iptables NAT',
    )
  }
  add(services, [isLocal('dst')], jump(nodePort), 'possibly a node port of this node')
  add(loadBalancer, [], jump(markMasq), 'masqueraded, because the endpoint may be on another node')
  for (const name of ['KUBE-CLUSTER-IP', 'KUBE-LOAD-BALANCER'] as const) {
    if (!filled(name)) continue
    add(
      services,
      [asked(name, 'dst,dst')],
      { kind: 'ACCEPT' },
      'Service traffic: no further iptables NAT, IPVS does it',
    )
  }
  const last = [...postroutingRules(options.mark, options.randomFully), ...markMasqRules(options.mark)]
  return [...rules, ...last.map((rule) => ({ ...rule, reason: explainRule(rule) }))]
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
}: NatOptions): readonly [sources: Addresses, reason: string] {
  if (masqueradeAll) return [{}, 'masqueradeAll: all traffic to a cluster IP is masqueraded']
  if (detector === undefined) {
    return [
      {},
      'from the Service’s own address, as sent by the node’s processes: masqueraded, otherwise replies are lost',
    ]
  }
  return [fromPods(detector, true), 'not from a pod: masqueraded, so that replies return through this node']
}
