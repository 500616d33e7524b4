import { joinHostPort } from '../../net/socketText.js'
import type { Meaning } from '../../agents/meaning.js'
import type { TracedSocket } from './packet.js'

/** A virtual server of IPVS. */
export interface TracedServer extends Meaning {
  readonly address: string
  readonly port: number
  /** `tcp`, `udp` or `sctp`. */
  readonly protocol: string
  readonly scheduler: string
  /** Seconds that a client stays with its real server; 0: not persistent. */
  readonly persistence: number
  /** In the order of the kernel: the latest first. */
  readonly realServers: readonly TracedRealServer[]
}

/** A real server; one of weight 0 gets no new connections. */
export interface TracedRealServer {
  readonly address: string
  readonly port: number
  readonly weight: number
}

/** An ipset. */
export interface TracedIpset {
  /** `hash:ip,port` */
  readonly type: string
  /** As ipset lists them. */
  readonly entries: ReadonlySet<string>
  /** Entries that are exceptions (nomatch): what fits one of them best is not in the set. */
  readonly exceptions?: readonly string[] | undefined
  /** What is known about entries. */
  readonly meanings: ReadonlyMap<string, Meaning>
  /** Why it cannot be evaluated. */
  readonly unknown?: string | undefined
}

/** A connection of IPVS on one host. */
export interface BalancedConnection {
  readonly server: TracedServer
  readonly protocol: string
  readonly client: TracedSocket
  readonly virtual: TracedSocket
  readonly real: TracedSocket
}

/** `10.96.0.10:80/TCP`, as kube-proxy names virtual servers */
export function tracedServerName({
  address,
  port,
  protocol,
}: Pick<TracedServer, 'address' | 'port' | 'protocol'>): string {
  return `${joinHostPort(address, port)}/${protocol.toUpperCase()}`
}
