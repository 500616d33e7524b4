import { categorizeEndpoints, type EndpointCategories } from '../endpointCategories.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { nftChain, nftEndpointNames, nftServiceNames, type NftServiceNames } from './chainNames.js'
import { has } from '../versions/features.js'
import { longestComment } from '../versions/notices.js'
import { addressType, type SharedContainer } from './containers.js'
import type { NftContext } from './context.js'
import type { NftChain, NftContainer, NftElement } from './rule.js'
import { balancingChain, endpointChain, externalChain, firewallChain } from './serviceChains.js'

/** An element and the set or map that it is in. */
export interface ContainedElement extends NftElement {
  readonly container: SharedContainer
}

/** Properties of a service port and its endpoints that determine its rules. */
interface Shape {
  readonly names: NftServiceNames
  readonly hasInternal: boolean
  readonly hasExternal: boolean
  readonly useFirewall: boolean
}

/**
 * Everything that one service port puts into the table; mirrors the loop over service ports in syncProxyRules. Chains
 * are built on demand and not cached; elements are cached because every sync compares all of them.
 */
export class ServicePortTable {
  readonly port: ServicePort
  /** `namespace/name` of the Service. */
  readonly service: string
  /** All known endpoints, usable or not. */
  readonly endpoints: readonly ProxyEndpoint[]
  readonly categories: EndpointCategories
  /** Its elements in the sets and maps of all Services. */
  readonly elements: readonly ContainedElement[]
  readonly #shape: Shape
  readonly #context: NftContext

  constructor(port: ServicePort, endpoints: readonly ProxyEndpoint[], context: NftContext) {
    this.port = port
    this.service = `${port.namespace}/${port.service}`
    this.endpoints = endpoints
    this.categories = categorizeEndpoints(endpoints, port, context.place, context.version)
    this.#shape = shapeOf(port, this.categories)
    this.#context = context
    this.elements = elementsOf(port, this.categories, this.#shape, context)
  }

  /** Its own sets: for each endpoint the clients with affinity to it. */
  get sets(): readonly NftContainer[] {
    const { port, categories } = this
    if (port.affinitySeconds === 0) return []
    return categories.reachable.map((endpoint) => ({
      kind: 'set',
      name: nftEndpointNames(port, endpoint).affinity,
      type: addressType(this.#context.family),
      timeout: port.affinitySeconds,
    }))
  }

  /** Its own chains, in the order in which kube-proxy creates them. */
  get chains(): readonly NftChain[] {
    const { port, categories } = this
    const { names, useFirewall } = this.#shape
    const context = this.#context
    const { cluster, local, any, reachable } = categories
    return [
      ...(port.affinitySeconds > 0 || !has(context.version, 'inlinedMarks')
        ? reachable.map((endpoint) => endpointChain(port, endpoint, context))
        : []),
      ...(port.usesCluster && cluster.length > 0
        ? [balancingChain(port, names.cluster, cluster, context)]
        : []),
      ...(port.usesLocal && local.length > 0 ? [balancingChain(port, names.local, local, context)] : []),
      ...(any && port.externallyAccessible
        ? [externalChain(port, names, this.#shape.hasExternal, context)]
        : []),
      ...(useFirewall ? [firewallChain(port, names, context)] : []),
    ]
  }
}

function shapeOf(port: ServicePort, { any, local }: EndpointCategories): Shape {
  return {
    names: nftServiceNames(port),
    hasInternal: any && (!port.internalPolicyLocal || local.length > 0),
    hasExternal: any && (!port.externalPolicyLocal || local.length > 0),
    useFirewall: port.loadBalancerVIPs.length > 0 && port.sourceRanges.length > 0,
  }
}

function elementsOf(
  port: ServicePort,
  { any, reachable }: EndpointCategories,
  { names, hasInternal, hasExternal, useFirewall }: Shape,
  { version }: NftContext,
): readonly ContainedElement[] {
  const elements: ContainedElement[] = []
  const add = (container: SharedContainer, key: string, value?: string, comment?: string) =>
    elements.push({ container, key, value, comment })
  const { protocolName: protocol } = port
  const at = (ip: string) => `${ip} . ${protocol} . ${port.port}`
  // before 1.37 kube-proxy does not truncate it, and its sync fails: see `versionNotices`
  const comment = Buffer.from(port.name).subarray(0, longestComment).toString()
  // with endpoints on other nodes only, traffic is dropped; without any it is rejected
  const verdict = any ? 'drop' : `goto ${nftChain.reject}`
  const without = (key: string, container: SharedContainer = 'no-endpoint-services') =>
    add(container, key, verdict, comment)

  for (const endpoint of reachable) {
    if (!endpoint.local || !has(version, 'inlinedMarks')) continue
    const { address } = endpoint
    add('hairpin-connections', `${address} . ${address} . ${protocol} . ${endpoint.port}`)
  }
  add('cluster-ips', port.clusterIP)
  if (hasInternal) {
    const chain = port.internalPolicyLocal ? names.local : names.cluster
    add('service-ips', at(port.clusterIP), `goto ${chain}`)
  } else without(at(port.clusterIP))
  const toExternal = `goto ${names.external}`
  for (const ip of [...port.externalIPs, ...port.loadBalancerVIPs]) {
    if (any) add('service-ips', at(ip), toExternal)
    if (!hasExternal) without(at(ip))
  }
  if (useFirewall) {
    for (const ip of port.loadBalancerVIPs) add('firewall-ips', at(ip), `goto ${names.firewall}`)
  }
  if (port.nodePort !== 0) {
    const key = `${protocol} . ${port.nodePort}`
    if (any) add('service-nodeports', key, toExternal)
    if (!hasExternal) without(key, 'no-endpoint-nodeports')
  }
  return elements
}
