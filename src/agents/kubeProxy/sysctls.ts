import type { ProxyInput } from './input.js'
import { nodePortAddresses } from './nodeAddresses.js'

/** Sysctls that iptables mode sets at startup; only this mode supports node ports on loopback. */
export function iptablesSysctls(input: ProxyInput): Record<string, number> {
  const { localhost } = nodePortAddresses(input, 'IPv4')
  return { ...conntrackSysctls(input), ...(localhost ? { 'net.ipv4.conf.all.route_localnet': 1 } : {}) }
}

/** Sysctls of IPVS mode, with those that IPVS requires; mirrors NewProxier of pkg/proxy/ipvs. */
export function ipvsSysctls(input: ProxyInput): Record<string, number> {
  const { config } = input
  return {
    ...conntrackSysctls(input),
    'net.ipv4.vs.conntrack': 1,
    'net.ipv4.vs.expire_nodest_conn': 1,
    'net.ipv4.vs.expire_quiescent_template': 1,
    'net.ipv4.ip_forward': 1,
    ...(config.ipvs.strictARP
      ? { 'net.ipv4.conf.all.arp_ignore': 1, 'net.ipv4.conf.all.arp_announce': 2 }
      : {}),
  }
}

/**
 * Sysctls that every mode sets in the node's network namespace; mirrors setupConntrack. nf_conntrack_max and the
 * hash size are left out: they belong to the whole host, not to a namespace.
 */
export function conntrackSysctls({ config: { conntrack } }: ProxyInput): Record<string, number> {
  const seconds = {
    nf_conntrack_tcp_timeout_established: conntrack.tcpEstablishedTimeout,
    nf_conntrack_tcp_timeout_close_wait: conntrack.tcpCloseWaitTimeout,
    nf_conntrack_udp_timeout: conntrack.udpTimeout,
    nf_conntrack_udp_timeout_stream: conntrack.udpStreamTimeout,
  }
  const set = Object.entries(seconds).filter(([, value]) => value > 0)
  return {
    // durations are written in whole seconds, those under a second as 0
    ...Object.fromEntries(set.map(([name, value]) => [`net.netfilter.${name}`, Math.floor(value)])),
    ...(conntrack.tcpBeLiberal ? { 'net.netfilter.nf_conntrack_tcp_be_liberal': 1 } : {}),
  }
}
