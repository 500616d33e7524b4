import type { ProxyEndpoint } from './endpoints.js'
import type { ServicePort } from './servicePort.js'
import { has } from './versions/features.js'
import { defaultVersion, type MinorVersion } from './versions/version.js'
import { availableInMode, topologyMode, type Place } from './topologyMode.js'

/** Which endpoints of a service port get which traffic. */
export interface EndpointCategories {
  /** For traffic that may go to any node. */
  readonly cluster: readonly ProxyEndpoint[]
  /** For traffic that must stay on this node. */
  readonly local: readonly ProxyEndpoint[]
  /** Every endpoint that rules use. */
  readonly reachable: readonly ProxyEndpoint[]
  /** Whether any node has a usable endpoint: without one traffic is rejected, with only remote ones it is dropped. */
  readonly any: boolean
}

const none: EndpointCategories = { cluster: [], local: [], reachable: [], any: false }

/** Sorts a service port's endpoints by traffic policy; mirrors CategorizeEndpoints of pkg/proxy. */
export function categorizeEndpoints(
  endpoints: readonly ProxyEndpoint[],
  port: ServicePort,
  place: Place,
  version: MinorVersion = defaultVersion,
): EndpointCategories {
  if (endpoints.length === 0) return none
  const usesHints = port.usesCluster && port.usesHints
  const mode = usesHints ? topologyMode(endpoints, place, has(version, 'nodeHints')) : 'none'
  const isLast = has(version, 'terminatingEndpoints') ? servingWhileTerminating : () => false
  let cluster: readonly ProxyEndpoint[] = []
  if (port.usesCluster) {
    cluster = endpoints.filter((endpoint) => endpoint.ready && availableInMode(endpoint, mode, place))
    if (cluster.length === 0) cluster = endpoints.filter(isLast)
  }
  if (!port.usesLocal) return { cluster, local: [], reachable: cluster, any: cluster.length > 0 }

  const any = cluster.length > 0 || endpoints.some((endpoint) => endpoint.ready || isLast(endpoint))
  let local = endpoints.filter((endpoint) => endpoint.local && endpoint.ready)
  const fellBack = local.length === 0
  if (fellBack) local = endpoints.filter((endpoint) => endpoint.local && isLast(endpoint))
  if (!port.usesCluster) return { cluster: [], local, reachable: local, any }
  if (mode === 'none' && !(fellBack && local.length > 0)) return { cluster, local, reachable: cluster, any }
  const missing = local.filter((endpoint) => !cluster.includes(endpoint))
  return { cluster, local, reachable: [...cluster, ...missing], any }
}

function servingWhileTerminating(endpoint: ProxyEndpoint): boolean {
  return endpoint.serving && endpoint.terminating
}
