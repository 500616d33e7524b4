import type { Host } from '../network/host.js'
import type { BalancedConnection } from '../../snapshot/model/balancing.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Hook } from '../model/steps.js'
import type { HostState } from './hostState.js'
import type { Template, Tracked } from '../walk/connection.js'

/** A packet at a hook of a host. */
export interface Seen {
  readonly packet: TracedPacket
  readonly hook: Hook
  readonly host: Host
  readonly in?: string | undefined
  readonly out?: string | undefined
  /** Undefined for a packet that belongs to no connection. */
  readonly tracked: Tracked | 'untracked' | undefined
  /** What a rule has chosen for the connection, before connection tracking. */
  readonly template?: Template | undefined
  /** Whether this host sends it; it has come from another one otherwise. */
  readonly isSent?: boolean | undefined
  /** The connection of IPVS for which the packet was rewritten on this host. */
  readonly balanced?: BalancedConnection | undefined
  /** What this packet and those before it find on the host, and change. */
  readonly state?: HostState | undefined
  /** Whether a bridge that passes packets to iptables has passed it. */
  readonly bridged?: boolean | undefined
}
