import { joinHostPort } from '../../../net/socketText.js'
import { networkHolds, parseNetwork } from '../../../net/address.js'
import type { FoundRealServer, FoundServer } from './found.js'
import { realServerLine, serverLine, serverOptions } from './ipvsadm.js'
import type { VirtualServer } from './types.js'

/** kube-proxy's state that affects the virtual servers. */
export interface ServerMemory {
  /** Draining real servers; see `drainingKey`. */
  readonly draining: ReadonlySet<string>
  /** The first sync of a process: it resets the weights that the process before it left at 0. */
  readonly first: boolean
  /** Networks whose virtual servers are not deleted (`ipvs.excludeCIDRs`). */
  readonly excludeCIDRs: readonly string[]
}

/** Lines that `ipvsadm --restore` reads. */
export interface ServerChanges {
  readonly lines: readonly string[]
  /** Lines that delete unused virtual servers, after the rules are written. */
  readonly stale: readonly string[]
  /** All draining real servers, including earlier ones. */
  readonly draining: ReadonlySet<string>
}

/** A real server of a virtual server, as kube-proxy names it: `10.96.0.10:80/TCP/10.244.1.5:8080`. */
export function drainingKey(
  server: Pick<VirtualServer, 'address' | 'port' | 'protocol'>,
  real: string,
): string {
  return `${serverName(server)}/${real}`
}

/** A virtual server as kube-proxy names it: `10.96.0.10:80/TCP`. */
export function serverName({
  address,
  port,
  protocol,
}: Pick<VirtualServer, 'address' | 'port' | 'protocol'>) {
  return `${joinHostPort(address, port)}/${protocol.toUpperCase()}`
}

/**
 * Lines that update the existing virtual servers and touch no others. A real server of TCP that
 * has connections gets weight 0 and stays until they end; mirrors syncService and syncEndpoint of pkg/proxy/ipvs.
 */
export function serverChanges(
  found: readonly FoundServer[],
  wanted: readonly VirtualServer[],
  memory: ServerMemory,
): ServerChanges {
  const existing = new Map(found.map((server) => [serverName(server), server]))
  const names = new Set(wanted.map(serverName))
  const draining = new Set(memory.draining)
  const lines = wanted.flatMap((server) => {
    const known = existing.get(serverName(server))
    return [
      ...(known === undefined ? [serverLine('-A', server)] : []),
      ...(known !== undefined && differs(known, server) ? [serverLine('-E', server)] : []),
      ...realServerLines(known?.realServers ?? [], server, { ...memory, draining }),
    ]
  })
  const excluded = memory.excludeCIDRs.map((cidr) => parseNetwork(cidr))
  const stale = found
    .filter((server) => !names.has(serverName(server)))
    .filter(({ address }) => !excluded.some((network) => network && networkHolds(network, address)))
    .map((server) => `-D ${serverOptions(server)}`)
  return { lines, stale, draining }
}

/** Lines that delete drained real servers; those already deleted or in use again are no longer tracked. */
export function drainedLines(
  found: readonly FoundServer[],
  draining: ReadonlySet<string>,
): Pick<ServerChanges, 'lines' | 'draining'> {
  const left = new Set<string>()
  const lines = found.flatMap((server) =>
    server.realServers.flatMap(({ text, connections }) => {
      const key = drainingKey(server, text)
      if (!draining.has(key)) return []
      if (connections === 0) return [realServerLine('-d', server, text)]
      left.add(key)
      return []
    }),
  )
  return { lines, draining: left }
}

function differs(known: FoundServer, server: VirtualServer): boolean {
  return (
    known.scheduler !== server.scheduler ||
    known.persistence !== server.persistence ||
    known.mhPort !== (server.scheduler === 'mh')
  )
}

function realServerLines(
  known: readonly FoundRealServer[],
  server: VirtualServer,
  { draining, first }: Pick<ServerMemory, 'first'> & { readonly draining: Set<string> },
): string[] {
  const wanted = new Set(server.realServers)
  const existing = new Map(known.map((real) => [real.text, real]))
  const repair = first && known.some(({ weight }) => weight !== 1)
  const lines: string[] = []
  for (const text of wanted) {
    const key = drainingKey(server, text)
    const real = existing.get(text)
    if (real === undefined) lines.push(realServerLine('-a', server, text, 1))
    else if (draining.has(key))
      lines.push(realServerLine('-d', server, text), realServerLine('-a', server, text, 1))
    else if (repair) lines.push(realServerLine('-e', server, text, 1))
    draining.delete(key)
  }
  for (const { text, weight, connections } of known) {
    const key = drainingKey(server, text)
    if (wanted.has(text) || draining.has(key)) continue
    if (server.protocol !== 'tcp' || connections === 0) {
      lines.push(realServerLine('-d', server, text))
      continue
    }
    if (weight !== 0) lines.push(realServerLine('-e', server, text, 0))
    draining.add(key)
  }
  return lines
}
