import { networkHolds } from '../../net/address.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { baseChain, endpointChainName, type ServiceChainNames } from './chainNames.js'
import type { RuleContext } from './context.js'
import type { Reason } from './reason.js'
import { comment, jump, type Chain, type Match, type Rule, type Target } from './rule.js'

/** An endpoint's chain, as several chains of its service port lead to it. */
export interface EndpointRef {
  readonly chain: string
  readonly jump: Target
  /** The comment `name -> address:port`; nothing in a large cluster. */
  readonly note: readonly Match[]
}

/** The endpoints' chains by endpoint, named once for all chains that lead to them. */
export function endpointRefs(
  port: ServicePort,
  endpoints: readonly ProxyEndpoint[],
  context: RuleContext,
): ReadonlyMap<ProxyEndpoint, EndpointRef> {
  const refs = new Map<ProxyEndpoint, EndpointRef>()
  for (const endpoint of endpoints) {
    const chain = endpointChainName(port.name, port.protocolName, endpoint.text)
    const note = context.largeCluster ? [] : [comment(`${port.name} -> ${endpoint.text}`)]
    refs.set(endpoint, { chain, jump: jump(chain), note })
  }
  return refs
}

/** KUBE-EXT-: what becomes of traffic from outside before an endpoint is chosen. */
export function externalChain(port: ServicePort, shape: Shape, context: RuleContext): Chain {
  const { names } = shape
  const [rules, add] = chainRules(names.external, port)
  const note = (what: string) => comment(`${what} for ${port.name} external destinations`)
  if (!port.externalPolicyLocal) {
    add([note('masquerade traffic')], jump(baseChain.markMasq), 'masqueradeExternal')
    add([], jump(names.cluster), 'externalToCluster')
    return { name: names.external, rules }
  }
  const fromNode: Match = { kind: 'addrtype', side: 'src' }
  if (context.detector) {
    add([note('pod traffic'), local(context.detector, false)], jump(names.cluster), 'podToExternal')
  }
  add([note('masquerade LOCAL traffic'), fromNode], jump(baseChain.markMasq), 'masqueradeNodeToExternal')
  add([note('route LOCAL traffic'), fromNode], jump(names.cluster), 'nodeToExternal')
  if (shape.hasExternal) add([], jump(names.local), 'externalToLocal')
  return { name: names.external, rules }
}

/** KUBE-FW-: loadBalancerSourceRanges; what no rule here takes is dropped by KUBE-PROXY-FIREWALL. */
export function firewallChain(port: ServicePort, names: ServiceChainNames, context: RuleContext): Chain {
  const [rules, add] = chainRules(names.firewall, port)
  const note = comment(`${port.name} loadbalancer IP`)
  const allow = (address: string, reason: Reason) =>
    add([note, { kind: 'source', address }], jump(names.external), reason)
  for (const range of port.sourceRanges) allow(range.text, 'sourceRange')
  // A node that may connect does so from the VIP's own address where the VIP is bound on the node.
  if (port.sourceRanges.some((range) => networkHolds(range, context.nodeIP))) {
    for (const ip of port.loadBalancerVIPs) allow(ip, 'sourceRangeNode')
  }
  const rest = comment(`other traffic to ${port.name} will be dropped by KUBE-PROXY-FIREWALL`)
  add([rest], undefined, 'sourceRangeRest')
  return { name: names.firewall, rules }
}

/** KUBE-SVC- or KUBE-SVL-: masquerade what needs it, then choose one of the endpoints. */
export function loadBalancingChain(
  port: ServicePort,
  name: string,
  endpoints: readonly ProxyEndpoint[],
  refs: ReadonlyMap<ProxyEndpoint, EndpointRef>,
  internal: boolean,
  context: RuleContext,
): Chain {
  const [rules, add] = chainRules(name, port)
  if (internal && (context.masqueradeAll || context.detector)) {
    const destination: Match = {
      kind: 'transport',
      protocol: port.protocolName,
      destination: port.clusterIP,
      port: port.port,
    }
    const outside = context.masqueradeAll || !context.detector ? [] : [local(context.detector, true)]
    const matches = [comment(`${port.name} cluster IP`), destination, ...outside]
    add(matches, jump(baseChain.markMasq), 'masqueradeClusterIP')
  }
  if (port.affinitySeconds > 0) {
    for (const endpoint of endpoints) {
      const { chain, note, jump: toEndpoint } = refOf(refs, endpoint)
      add(
        [...note, { kind: 'recentCheck', name: chain, seconds: port.affinitySeconds }],
        toEndpoint,
        'affinity',
      )
    }
  }
  endpoints.forEach((endpoint, index) => {
    const { note, jump: toEndpoint } = refOf(refs, endpoint)
    const of = endpoints.length - index
    add(of === 1 ? note : [...note, { kind: 'statistic', of }], toEndpoint, 'loadBalancing')
  })
  return { name, rules }
}

/** KUBE-SEP-: one endpoint; its own traffic to itself is masqueraded, all is DNATed. */
export function endpointChain(
  port: ServicePort,
  endpoint: ProxyEndpoint,
  refs: ReadonlyMap<ProxyEndpoint, EndpointRef>,
  context: RuleContext,
): Chain {
  const { chain } = refOf(refs, endpoint)
  const [rules, add] = chainRules(chain, port)
  const note: readonly Match[] = context.largeCluster ? [] : [comment(port.name)]
  add([...note, { kind: 'source', address: endpoint.address }], jump(baseChain.markMasq), 'hairpin')
  const remember: readonly Match[] = port.affinitySeconds > 0 ? [{ kind: 'recentSet', name: chain }] : []
  const transport: Match = { kind: 'transport', protocol: port.protocolName }
  add([...note, ...remember, transport], { kind: 'dnat', to: endpoint.text }, 'endpoint')
  return { name: chain, rules }
}

type AddRule = (matches: readonly Match[], target: Target | undefined, reason: Reason) => void

function chainRules(chain: string, port: ServicePort): [Rule[], AddRule] {
  const rules: Rule[] = []
  return [rules, (matches, target, reason) => rules.push({ chain, matches, target, reason, port })]
}

function local(detector: NonNullable<RuleContext['detector']>, negated: boolean): Match {
  return detector.kind === 'source'
    ? { kind: 'source', address: detector.network, negated }
    : { kind: 'inInterface', name: detector.name, negated }
}

function refOf(refs: ReadonlyMap<ProxyEndpoint, EndpointRef>, endpoint: ProxyEndpoint): EndpointRef {
  const ref = refs.get(endpoint)
  if (!ref) throw new Error(`endpoint ${endpoint.text} is in no category`)
  return ref
}

/** What follows from a service port and its endpoints for the shape of its rules. */
export interface Shape {
  readonly names: ServiceChainNames
  readonly hasInternal: boolean
  readonly hasExternal: boolean
  /** The chain that traffic to the cluster IP goes to. */
  readonly internalChain: string
  readonly useExternal: boolean
  readonly useFirewall: boolean
}
