import type { EndpointSlice, Node, Service } from '../cluster/types.js'
import type { KubeProxyConfiguration } from './config.js'

/** All that decides which rules one node's kube-proxy writes. */
export interface ProxyInput {
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
  /** The node whose kube-proxy this is. */
  readonly node: Node
  readonly config: KubeProxyConfiguration
  /** Whether the kernel has nfacct: kube-proxy then counts with two accounting objects. */
  readonly nfacct: boolean
  /** Whether iptables knows `--random-fully` (1.6.2 and later); true unless told. */
  readonly randomFully?: boolean
  /** Whether nf_conntrack_tcp_be_liberal is set already; the configuration's tcpBeLiberal sets it too. */
  readonly conntrackBeLiberal?: boolean
  /** Addresses of the node's interfaces, for nodePortAddresses; the Node's own and loopback unless told. */
  readonly localAddresses?: readonly string[]
  /** The ranges that cluster IPs are taken from, of either family; mode nftables drops what goes to the rest of them. */
  readonly serviceCIDRs?: readonly string[]
}
