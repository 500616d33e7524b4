import type { Host } from '../network/host.js'
import type { BalancedConnection, TracedIpset } from '../../snapshot/model/balancing.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Hook } from '../model/steps.js'
import type { Tracked } from '../walk/connection.js'

/** A packet at a hook of a host. */
export interface Seen {
  readonly packet: TracedPacket
  readonly hook: Hook
  readonly host: Host
  readonly in?: string | undefined
  readonly out?: string | undefined
  /** Undefined for a packet that belongs to no connection. */
  readonly tracked: Tracked | 'untracked' | undefined
  /** The connection of IPVS for which the packet was rewritten on this host. */
  readonly balanced?: BalancedConnection | undefined
  /** The ipsets of the host, by name. */
  readonly sets?: ReadonlyMap<string, TracedIpset> | undefined
  /** The addresses in the lists of the match recent, by list. */
  readonly recent?: ReadonlyMap<string, ReadonlySet<string>> | undefined
  /** Whether a bridge that passes packets to iptables has passed it. */
  readonly bridged?: boolean | undefined
}
