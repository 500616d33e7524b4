import { hostText } from '../../../net/hostText.js'
import type { TopologyView } from '../../../results/events.js'
import type { LiveRequest } from '../../live/api.js'
import { titleOf } from '../../path/layout.js'

/** What is asked for in the form of requests: HTTP is TCP with a host name and a path. */
export interface FormRequest {
  readonly from: string
  /** `host:port`, or a URL. */
  readonly to: string
  readonly protocol: FormProtocol
  /** Of HTTP; empty for that of the URL. */
  readonly host: string
  /** Of HTTP; empty for `/`. */
  readonly path: string
}

export const formProtocols = ['http', 'https', 'tcp', 'udp', 'icmp'] as const
export type FormProtocol = (typeof formProtocols)[number]

export function isHttp(protocol: FormProtocol): protocol is 'http' | 'https' {
  return protocol === 'http' || protocol === 'https'
}

/** The request of a form. */
export function requestOf({ from, to, protocol, host, path }: FormRequest): LiveRequest {
  if (!isHttp(protocol)) return { from, to, protocol }
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(to)
  const target = path.startsWith('/') ? path : `/${path}`
  const request = { from, to: isUrl ? to : `${protocol}://${to}${target}`, protocol: 'tcp' } as const
  return host === '' ? request : { ...request, host }
}

/** The form of a request. */
export function formOf({ from, to, protocol, host = '' }: LiveRequest): FormRequest {
  const [, scheme, socket = to, path = ''] = /^(https?):\/\/((?:\{[^}]*\}|[^/?#])*)(.*)$/i.exec(to) ?? []
  if (scheme === undefined) return { from, to, protocol, host, path: '' }
  return { from, to: socket, protocol: scheme.toLowerCase() as FormProtocol, host, path }
}

/** Clients first, as they are outside. */
export function sendersOf({ clients, nodes, pods }: TopologyView): string[] {
  return [...clients.map(({ name }) => name), ...nodes.map(({ name }) => name), ...pods.map(titleOf)]
}

/** What can be called: node ports, external IPs and cluster IPs of Services, then pods. */
export function targetsOf({ nodes, pods, services }: TopologyView): string[] {
  const outside = services.flatMap(({ externalIPs, ports }) =>
    ports.flatMap(({ port, nodePort }) => [
      ...(nodePort === undefined ? [] : nodes.map(({ name }) => `{${name}}:${nodePort}`)),
      ...externalIPs.map((address) => `${hostText(address)}:${port}`),
    ]),
  )
  const inside = services.flatMap(({ clusterIPs, ports }) =>
    clusterIPs.flatMap((address) =>
      address === 'None' ? [] : ports.map(({ port }) => `${hostText(address)}:${port}`),
    ),
  )
  return [...new Set([...outside, ...inside, ...pods.map((pod) => `{${titleOf(pod)}}`)])]
}

/** A request that passes in most healthy labs: clients have no route to cluster IPs, so only what is for them is called from there. */
export function usualRequest(topology: TopologyView): FormRequest {
  const { nodes, services } = topology
  const [to = ''] = targetsOf(topology)
  const isForClients = services.some(
    ({ externalIPs, ports }) =>
      externalIPs.length > 0 || (nodes.length > 0 && ports.some(({ nodePort }) => nodePort !== undefined)),
  )
  const senders = sendersOf(topology)
  const [inside = ''] = senders.slice(topology.clients.length + nodes.length).concat(senders)
  const [{ protocol = 'TCP' } = {}] = services[0]?.ports ?? []
  return {
    ...{ from: isForClients ? (senders[0] ?? '') : inside, to, host: '', path: '' },
    protocol: protocol === 'UDP' ? 'udp' : 'http',
  }
}
