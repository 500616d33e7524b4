import { categorizeEndpoints, type EndpointCategories } from '../endpointCategories.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { nfacctCounter } from './baseRules.js'
import { baseChain, serviceChainNames } from './chainNames.js'
import type { RuleContext } from './context.js'
import type { Reason } from './reason.js'
import { comment, isLocal, jump, reject, transport, type Conditions } from '../../../netfilter/rules/build.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { has } from '../versions/features.js'
import { servicePortRule, type Chain, type Rule } from './rule.js'
import {
  endpointChain,
  endpointRefs,
  externalChain,
  firewallChain,
  loadBalancingChain,
  type Shape,
} from './serviceChains.js'

/**
 * Everything that one service port puts into the tables; mirrors the loop over service ports in syncProxyRules. Rules
 * are built on demand and not cached: in a large cluster they would fill the heap.
 */
export class ServicePortRules {
  readonly port: ServicePort
  /** `namespace/name` of the Service. */
  readonly service: string
  /** All known endpoints, usable or not. */
  readonly endpoints: readonly ProxyEndpoint[]
  readonly categories: EndpointCategories
  readonly #shape: Shape
  readonly #context: RuleContext

  constructor(port: ServicePort, endpoints: readonly ProxyEndpoint[], context: RuleContext) {
    this.port = port
    this.service = `${port.namespace}/${port.service}`
    this.endpoints = endpoints
    this.categories = categorizeEndpoints(endpoints, port, context.place, context.version)
    this.#shape = shapeOf(port, this.categories, context)
    this.#context = context
  }

  /** Rules in filter KUBE-SERVICES, KUBE-EXTERNAL-SERVICES, KUBE-NODEPORTS and KUBE-PROXY-FIREWALL. */
  get filter(): readonly Rule[] {
    return filterRules(this.port, this.categories, this.#shape, this.#context)
  }

  /** Rules in nat KUBE-SERVICES and KUBE-NODEPORTS. */
  get nat(): readonly Rule[] {
    return this.categories.any ? dispatchRules(this.port, this.#shape, this.#context) : []
  }

  /** The nat chains that are the service port's own: EXT, FW, SVC, SVL, then one SEP for each endpoint. */
  get chains(): readonly Chain[] {
    return this.categories.any ? ownChains(this.port, this.categories, this.#shape, this.#context) : []
  }
}

function shapeOf(
  port: ServicePort,
  { any, local }: EndpointCategories,
  { version, nodePorts }: RuleContext,
): Shape {
  const names = serviceChainNames(port.name, port.protocolName)
  const marksDrops = has(version, 'markDrop')
  const answers =
    nodePorts.matchAll || nodePorts.addresses.length > 0 || has(version, 'nodePortsWithoutAddress')
  return {
    names,
    hasInternal: any && (marksDrops || !port.internalPolicyLocal || local.length > 0),
    hasExternal: any && (marksDrops || !port.externalPolicyLocal || local.length > 0),
    internalChain: port.internalPolicyLocal ? names.local : names.cluster,
    useExternal: any && port.externallyAccessible,
    nodePort: answers ? port.nodePort : 0,
    marksDrops,
    useFirewall: any && port.loadBalancerVIPs.length > 0 && port.sourceRanges.length > 0,
  }
}

function dispatchRules(port: ServicePort, shape: Shape, context: RuleContext): readonly Rule[] {
  const { names } = shape
  const rules: Rule[] = []
  const add = (chain: string, conditions: Conditions, to: string, reason: Reason) =>
    rules.push(servicePortRule(conditions, chain, jump(to), reason, port))
  const service = (address: string, what: string, to: string, reason: Reason) =>
    add(baseChain.services, destined(port, address, `${port.name} ${what}`), to, reason)

  if (shape.hasInternal) service(port.clusterIP, 'cluster IP', shape.internalChain, 'clusterIP')
  for (const ip of port.externalIPs) service(ip, 'external IP', names.external, 'externalIP')
  const balancer = shape.useFirewall ? names.firewall : names.external
  for (const ip of port.loadBalancerVIPs) service(ip, 'loadbalancer IP', balancer, 'loadBalancerIP')
  const { nodePort } = shape
  if (nodePort === 0) return rules

  const note = [comment(port.name)]
  if (context.countLocalhostNodePorts) {
    const { matches, ...toLocalhost } = transport(port.protocolName, note, nodePort, '127.0.0.0/8')
    const counted: Match = { kind: 'nfacct', nfacctName: nfacctCounter.localhostNodePorts }
    const conditions = { ...toLocalhost, matches: [...matches, counted] }
    add(baseChain.nodePorts, conditions, names.external, 'nodePortLocalhost')
  }
  add(baseChain.nodePorts, transport(port.protocolName, note, nodePort), names.external, 'nodePort')
  return rules
}

function filterRules(
  port: ServicePort,
  { any }: EndpointCategories,
  shape: Shape,
  { family }: RuleContext,
): readonly Rule[] {
  const rules: Rule[] = []
  const add = (chain: string, conditions: Conditions, target: Target, reason: Reason) =>
    rules.push(servicePortRule(conditions, chain, target, reason, port))
  const target: Target = any ? { kind: 'DROP' } : reject(family)
  const reason: Reason = any ? 'noLocalEndpoints' : 'noEndpoints'
  const note = `${port.name} has no ${any ? 'local ' : ''}endpoints`

  if (!shape.hasInternal) add(baseChain.services, destined(port, port.clusterIP, note), target, reason)
  if (!shape.hasExternal) {
    for (const ip of port.externalIPs)
      add(baseChain.externalServices, destined(port, ip, note), target, reason)
  }
  if (shape.useFirewall && !shape.marksDrops) {
    const refused = `${port.name} traffic not accepted by ${shape.names.firewall}`
    for (const ip of port.loadBalancerVIPs) {
      add(baseChain.proxyFirewall, destined(port, ip, refused), { kind: 'DROP' }, 'outsideSourceRanges')
    }
  }
  if (!shape.hasExternal) {
    for (const ip of port.loadBalancerVIPs)
      add(baseChain.externalServices, destined(port, ip, note), target, reason)
    if (shape.nodePort !== 0) {
      const toNodePort = transport(port.protocolName, [comment(note), isLocal('dst')], shape.nodePort)
      add(baseChain.externalServices, toNodePort, target, reason)
    }
  }
  if (port.healthCheckNodePort !== 0) {
    const note = comment(`${port.name} health check node port`)
    const probe = transport('tcp', [note], port.healthCheckNodePort)
    add(baseChain.nodePorts, probe, { kind: 'ACCEPT' }, 'healthCheckNodePort')
  }
  return rules
}

function ownChains(
  port: ServicePort,
  categories: EndpointCategories,
  shape: Shape,
  context: RuleContext,
): readonly Chain[] {
  const { names } = shape
  const chains: Chain[] = []
  if (shape.useExternal) chains.push(externalChain(port, shape, context))
  if (shape.useFirewall) chains.push(firewallChain(port, names, context))
  const isUsed = (endpoints: EndpointCategories['cluster']) => endpoints.length > 0 || shape.marksDrops
  const refs = endpointRefs(port, categories.reachable, context)
  const balance = (name: string, endpoints: EndpointCategories['cluster']) =>
    chains.push(
      loadBalancingChain(
        port,
        name,
        endpoints,
        refs,
        name === shape.internalChain && shape.hasInternal,
        context,
      ),
    )
  if (port.usesCluster && isUsed(categories.cluster)) balance(names.cluster, categories.cluster)
  if (port.usesLocal && isUsed(categories.local)) balance(names.local, categories.local)
  for (const endpoint of categories.reachable) chains.push(endpointChain(port, endpoint, refs, context))
  return chains
}

function destined(port: ServicePort, address: string, note: string): Conditions {
  return transport(port.protocolName, [comment(note)], port.port, address)
}
