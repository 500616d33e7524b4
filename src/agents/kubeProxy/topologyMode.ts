import type { ProxyEndpoint } from './endpoints.js'

/** The location of a node's kube-proxy, which hints are compared with. */
export interface Place {
  readonly nodeName: string
  /** The node's `topology.kubernetes.io/zone` label; empty when it has none. */
  readonly zone: string
}

/** Which endpoints a node prefers according to hints. */
export type TopologyMode = 'none' | 'sameNode' | 'sameZone'

/** Decides by the hints of ready endpoints, with `nodeHints` by those for nodes too; mirrors topologyModeFromHints of pkg/proxy. */
export function topologyMode(
  endpoints: readonly ProxyEndpoint[],
  place: Place,
  nodeHints: boolean,
): TopologyMode {
  let ready = false
  let everyNodeHinted = true
  let everyZoneHinted = true
  let thisNode = false
  let thisZone = false
  for (const endpoint of endpoints) {
    if (!endpoint.ready) continue
    ready = true
    if (endpoint.nodeHints.length === 0) everyNodeHinted = false
    else if (endpoint.nodeHints.includes(place.nodeName)) thisNode = true
    if (endpoint.zoneHints.length === 0) everyZoneHinted = false
    else if (place.zone !== '' && endpoint.zoneHints.includes(place.zone)) thisZone = true
  }
  if (!ready) return 'none'
  if (nodeHints && everyNodeHinted && thisNode) return 'sameNode'
  return everyZoneHinted && thisZone ? 'sameZone' : 'none'
}

/** True when an endpoint may be used in this mode. */
export function availableInMode(endpoint: ProxyEndpoint, mode: TopologyMode, place: Place): boolean {
  if (mode === 'sameNode') return endpoint.nodeHints.includes(place.nodeName)
  return mode === 'none' || endpoint.zoneHints.includes(place.zone)
}
