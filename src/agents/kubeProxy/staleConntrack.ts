import type { ConntrackEntry } from '../../netfilter/types.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { joinHostPort } from '../../net/socketText.js'
import type { ProxyEndpoint } from './endpoints.js'
import type { ServicePort } from './servicePort.js'
import { has } from './versions/features.js'
import type { MinorVersion } from './versions/version.js'

/** A service port with all known endpoints. */
export interface PortWithEndpoints {
  readonly port: ServicePort
  readonly endpoints: readonly ProxyEndpoint[]
}

/**
 * The UDP entries whose endpoint no longer serves or exists: packets of such a flow would continue to
 * bypass the new rules. Versions 1.32 to 1.36 keep entries of ports without a serving endpoint. Mirrors CleanStaleEntries of
 * pkg/proxy/conntrack.
 */
export function staleConntrackEntries(
  entries: readonly ConntrackEntry[],
  ports: readonly PortWithEndpoints[],
  version: MinorVersion,
): ConntrackEntry[] {
  const byAddress = new Map<string, ReadonlySet<string>>()
  const byNodePort = new Map<number, ReadonlySet<string>>()
  const keepsLast = has(version, 'keepsLastUdpEntries')
  for (const { port, endpoints } of ports) {
    const serving = new Set(endpoints.filter((endpoint) => endpoint.serving).map(({ text }) => text))
    if (port.protocol !== 'UDP' || (serving.size === 0 && keepsLast)) continue
    for (const ip of [port.clusterIP, ...port.loadBalancerVIPs, ...port.externalIPs]) {
      byAddress.set(joinHostPort(ip, port.port), serving)
    }
    if (port.nodePort !== 0) byNodePort.set(port.nodePort, serving)
  }
  return entries.filter(({ protocol, original, reply }) => {
    if (protocol !== 'udp') return false
    const leadsTo = textOf(reply.source)
    const misses = (serving: ReadonlySet<string> | undefined) =>
      serving !== undefined && !serving.has(leadsTo)
    return (
      misses(byAddress.get(textOf(original.destination))) ||
      misses(byNodePort.get(original.destination.port ?? 0))
    )
  })
}

function textOf({ address, port }: SocketAddress): string {
  return joinHostPort(address, port ?? 0)
}
