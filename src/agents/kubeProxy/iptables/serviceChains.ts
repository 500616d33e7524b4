import { networkHolds } from '../../../net/address.js'
import { has } from '../versions/features.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { baseChain, endpointChainName, serviceChainNames, type ServiceChainNames } from './chainNames.js'
import type { RuleContext } from './context.js'
import type { Reason } from './reason.js'
import { comment, dnat, isLocal, jump, transport, type Conditions } from '../../../netfilter/rules/build.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { fromPods, oneIn, servicePortRule, type Chain, type Rule } from './rule.js'

const toMarkMasq = jump(baseChain.markMasq)
const toMarkDrop = jump(baseChain.markDrop)

/** An endpoint's chain, referenced from several chains of its service port. */
export interface EndpointRef {
  readonly chain: string
  readonly jump: Target
  /** The comment `name -> address:port`; nothing in a large cluster. */
  readonly note: readonly Match[]
}

/** The endpoints' chains by endpoint, named once for all chains that reference them. */
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

/** KUBE-EXT-: handles traffic from outside before an endpoint is chosen. */
export function externalChain(port: ServicePort, shape: Shape, context: RuleContext): Chain {
  const { names } = shape
  const { rules, add } = chainRules(names.external, port)
  const noted = (what: string, ...matches: readonly Match[]) => ({
    matches: [comment(`${what} for ${port.name} external destinations`), ...matches],
  })
  if (!port.externalPolicyLocal) {
    add(noted('masquerade traffic'), toMarkMasq, 'masqueradeExternal')
    add({ matches: [] }, jump(names.cluster), 'externalToCluster')
    return { name: names.external, rules }
  }
  const fromNode = isLocal('src')
  if (context.detector) {
    add({ ...noted('pod traffic'), ...fromPods(context.detector) }, jump(names.cluster), 'podToExternal')
  }
  add(noted('masquerade LOCAL traffic', fromNode), toMarkMasq, 'masqueradeNodeToExternal')
  add(noted('route LOCAL traffic', fromNode), jump(names.cluster), 'nodeToExternal')
  if (shape.hasExternal) add({ matches: [] }, jump(names.local), 'externalToLocal')
  return { name: names.external, rules }
}

/**
 * KUBE-FW-: loadBalancerSourceRanges; KUBE-PROXY-FIREWALL drops what no rule here matches. Kube-proxy 1.24 writes the rules once
 * for each address of the load balancer.
 */
export function firewallChain(port: ServicePort, names: ServiceChainNames, context: RuleContext): Chain {
  const { rules, add } = chainRules(names.firewall, port)
  const matches = [comment(`${port.name} loadbalancer IP`)]
  const allow = (address: string, reason: Reason) =>
    add({ source: { value: address }, matches }, jump(names.external), reason)
  const marksDrops = has(context.version, 'markDrop')
  for (const addresses of marksDrops ? port.loadBalancerVIPs.map((ip) => [ip]) : [port.loadBalancerVIPs]) {
    for (const range of port.sourceRanges) allow(range.text, 'sourceRange')
    // An allowed node connects from the VIP if the VIP is bound on the node.
    if (port.sourceRanges.some((range) => networkHolds(range, context.nodeIP)))
      for (const ip of addresses) allow(ip, 'sourceRangeNode')
    if (marksDrops) add({ matches }, toMarkDrop, 'markForDrop')
  }
  if (!has(context.version, 'sourceRangeRest')) return { name: names.firewall, rules }
  const rest = comment(`other traffic to ${port.name} will be dropped by KUBE-PROXY-FIREWALL`)
  add({ matches: [rest] }, undefined, 'sourceRangeRest')
  return { name: names.firewall, rules }
}

/** KUBE-SVC- or KUBE-SVL-: masquerades if needed, then picks one of the endpoints. */
export function loadBalancingChain(
  port: ServicePort,
  name: string,
  endpoints: readonly ProxyEndpoint[],
  refs: ReadonlyMap<ProxyEndpoint, EndpointRef>,
  internal: boolean,
  context: RuleContext,
): Chain {
  const { rules, add } = chainRules(name, port)
  if (internal && (context.masqueradeAll || context.detector)) {
    const outside = context.masqueradeAll || !context.detector ? {} : fromPods(context.detector, true)
    const toClusterIP = transport(
      port.protocolName,
      [comment(`${port.name} cluster IP`)],
      port.port,
      port.clusterIP,
    )
    add({ ...toClusterIP, ...outside }, toMarkMasq, 'masqueradeClusterIP')
  }
  const seconds = port.affinitySeconds
  if (seconds > 0) {
    for (const endpoint of endpoints) {
      const { chain, note, jump: toEndpoint } = refOf(refs, endpoint)
      const seen: Match = { kind: 'recent', rcheck: true, seconds, reap: true, name: chain }
      add({ matches: [...note, seen] }, toEndpoint, 'affinity')
    }
  }
  endpoints.forEach((endpoint, index) => {
    const { note, jump: toEndpoint } = refOf(refs, endpoint)
    const of = endpoints.length - index
    add({ matches: of === 1 ? note : note.concat(oneIn(of)) }, toEndpoint, 'loadBalancing')
  })
  if (endpoints.length === 0 && name !== serviceChainNames(port.name, port.protocolName).cluster)
    add({ matches: [comment(`${port.name} has no local endpoints`)] }, toMarkDrop, 'markForDrop')
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
  const note: readonly Match[] = context.largeCluster ? [] : [comment(port.name)]
  const fromItself = { source: { value: endpoint.address }, matches: note }
  const remember: readonly Match[] =
    port.affinitySeconds > 0 ? [...note, { kind: 'recent', set: true, name: chain }] : note
  const toIt = dnat(endpoint.address, endpoint.port)
  return {
    name: chain,
    rules: [
      servicePortRule(fromItself, chain, toMarkMasq, 'hairpin', port),
      servicePortRule(transport(port.protocolName, remember), chain, toIt, 'endpoint', port),
    ],
  }
}

type AddRule = (conditions: Conditions, target: Target | undefined, reason: Reason) => void

function chainRules(chain: string, port: ServicePort): { readonly rules: Rule[]; readonly add: AddRule } {
  const rules: Rule[] = []
  return {
    rules,
    add: (conditions, target, reason) => rules.push(servicePortRule(conditions, chain, target, reason, port)),
  }
}

function refOf(refs: ReadonlyMap<ProxyEndpoint, EndpointRef>, endpoint: ProxyEndpoint): EndpointRef {
  const ref = refs.get(endpoint)
  if (!ref) throw new Error(`endpoint ${endpoint.text} is in no category`)
  return ref
}

/** Properties of a service port and its endpoints that determine its rules. */
export interface Shape {
  readonly names: ServiceChainNames
  readonly hasInternal: boolean
  readonly hasExternal: boolean
  /** The chain that traffic to the cluster IP goes to. */
  readonly internalChain: string
  readonly useExternal: boolean
  readonly useFirewall: boolean
  /** The node port that has rules; 0 for none. */
  readonly nodePort: number
  /** Whether packets that no endpoint may get are marked by KUBE-MARK-DROP, not dropped in table filter. */
  readonly marksDrops: boolean
}
