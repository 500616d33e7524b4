import type { IpFamily } from '../../../net/ipFamily.js'
import type { Rule } from '../iptables/rule.js'
import type { IpvsReason } from './texts.js'
import type { SetName } from './sets.js'

/** One virtual server of IPVS, and where it sends connections. */
export interface VirtualServer {
  readonly address: string
  readonly port: number
  /** `tcp`, `udp` or `sctp`. */
  readonly protocol: string
  readonly scheduler: string
  /** Seconds that a client stays with its real server; 0: not persistent. */
  readonly persistence: number
  /** `address:port` of each endpoint, in brackets for IPv6; all weigh 1 and are reached by NAT. */
  readonly realServers: readonly string[]
}

/** A rule, and why it is there. */
export type IpvsRule = Rule<IpvsReason>

/** A jump from a built-in chain to one of kube-proxy's. */
export interface IpvsJump extends IpvsRule {
  readonly table: 'nat' | 'filter'
}

/** Rules of one table, in the order in which kube-proxy writes them. */
export interface IpvsTable {
  readonly chains: readonly string[]
  readonly rules: readonly IpvsRule[]
}

/** Everything that kube-proxy in IPVS mode creates on one node in one family. */
export interface IpvsState {
  readonly family: IpFamily
  /** By address, port and protocol. */
  readonly virtualServers: readonly VirtualServer[]
  /** Entries as kube-proxy writes them, for every set. */
  readonly sets: Readonly<Record<SetName, readonly string[]>>
  /** Addresses of the device kube-ipvs0, sorted. */
  readonly addresses: readonly string[]
  /** In the order in which they are inserted, each at the top of its chain. */
  readonly jumps: readonly IpvsJump[]
  readonly nat: IpvsTable
  readonly filter: IpvsTable
}

/** The device that holds the addresses of Services: always down, but it makes them local to the node. */
export const ipvsDevice = 'kube-ipvs0'

/** A program, its arguments and its standard input. */
export interface IpvsCommand {
  readonly argv: readonly [program: string, ...rest: string[]]
  readonly input: string
}
