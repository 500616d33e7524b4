import type { IpFamily } from '../../net/ipFamily.js'
import type { Endpoint, EndpointSlice, Protocol } from '../../cluster/types.js'
import { joinHostPort } from '../../net/socketText.js'
import { parseAddress } from '../../net/address.js'

/** One endpoint of one service port, as kube-proxy keeps it. */
export interface ProxyEndpoint {
  readonly address: string
  readonly port: number
  /** `address:port`, with brackets for IPv6. */
  readonly text: string
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
  /** On the node whose kube-proxy this is. */
  readonly local: boolean
  readonly nodeHints: readonly string[]
  readonly zoneHints: readonly string[]
}

/** Endpoints by service port (see `servicePortKey`), each list in kube-proxy's order. */
export type EndpointsMap = ReadonlyMap<string, readonly ProxyEndpoint[]>

/** What joins a Service's port with the ports of EndpointSlices: namespace, Service, port name and protocol. */
export function servicePortKey(namespace: string, service: string, port: string, protocol: Protocol): string {
  return `${namespace}/${service}:${port}/${protocol}`
}

const noHints: readonly string[] = []

/**
 * The endpoints that kube-proxy on `nodeName` knows for one family. A duplicate of a later slice replaces an earlier
 * one unless it is terminating; slices are processed by name, whereas kube-proxy uses any order.
 */
export function endpointsMap(
  slices: readonly EndpointSlice[],
  family: IpFamily,
  nodeName: string,
): EndpointsMap {
  const found = new Map<string, Map<string, ProxyEndpoint>>()
  for (const slice of inOrder(slices)) {
    const service = serviceOf(slice, family)
    if (service === undefined) continue
    for (const port of slice.ports ?? []) {
      if (port.name === undefined || !port.port) continue
      const key = servicePortKey(service.namespace, service.name, port.name, port.protocol ?? 'TCP')
      let endpoints = found.get(key)
      if (!endpoints) found.set(key, (endpoints = new Map<string, ProxyEndpoint>()))
      for (const endpoint of slice.endpoints) addEndpoint(endpoints, endpoint, port.port, nodeName)
    }
  }
  const result = new Map<string, readonly ProxyEndpoint[]>()
  for (const [key, endpoints] of found) result.set(key, sorted(endpoints))
  return result
}

/** The label of an EndpointSlice that names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name'

/** Namespace and name of the Service that a slice belongs to, if kube-proxy of this family uses the slice. */
export function serviceOf(
  slice: EndpointSlice,
  family: IpFamily,
): { readonly namespace: string; readonly name: string } | undefined {
  const labels = slice.metadata.labels
  const name = labels?.[serviceNameLabel]
  const { namespace } = slice.metadata
  if (slice.addressType !== family || !name || !namespace || !slice.metadata.name) return undefined
  return labels !== undefined && 'service.kubernetes.io/headless' in labels ? undefined : { namespace, name }
}

function addEndpoint(
  into: Map<string, ProxyEndpoint>,
  endpoint: Endpoint,
  port: number,
  nodeName: string,
): void {
  const first = endpoint.addresses[0]
  if (first === undefined) return
  const address = parseAddress(first)?.text ?? first
  const text = joinHostPort(address, port)
  const { conditions, hints } = endpoint
  const terminating = conditions?.terminating === true
  if (terminating && into.has(text)) return
  into.set(text, {
    address,
    port,
    text,
    ready: conditions?.ready !== false,
    serving: conditions?.serving !== false,
    terminating,
    local: nodeName !== '' && endpoint.nodeName === nodeName,
    nodeHints: hints?.forNodes?.map((hint) => hint.name) ?? noHints,
    zoneHints: hints?.forZones?.map((hint) => hint.name) ?? noHints,
  })
}

/** Lexical order: 10.0.0.10:80 comes before 10.0.0.1:80. */
function sorted(endpoints: ReadonlyMap<string, ProxyEndpoint>): readonly ProxyEndpoint[] {
  return [...endpoints.values()].sort((a, b) => (a.text < b.text ? -1 : 1))
}

function inOrder(slices: readonly EndpointSlice[]): readonly EndpointSlice[] {
  return [...slices].sort((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0,
  )
}
