import type { IpFamily } from '../net/ipFamily.js'

/** Sysctls by dotted name, in the order in which they are set. */
export type Sysctls = Readonly<Record<string, string | number>>

/** Kind of network namespace; `fabric` is the sandbox's first one, the router between nodes and clients. */
export type NamespaceKind = 'fabric' | 'node' | 'client' | 'pod'

/**
 * Every sysctl that a lab depends on, with the kernel's default unless a comment says otherwise. All are set,
 * never assumed: a new namespace copies IPv4's `conf` from the host, and IPv6's too where
 * net.core.devconf_inherit_init_net is 1.
 */
export function namespaceSysctls(kind: NamespaceKind, families: readonly IpFamily[]): Sysctls {
  // the fabric forwards too: only a router answers packets that it has no route for with ICMP errors
  const forwarding = kind === 'node' || kind === 'fabric' ? 1 : 0
  return {
    // first: the kernel changes others, such as accept_redirects, when this changes
    'net.ipv4.ip_forward': forwarding,
    ...perInterface('ipv4', ipv4Interface(forwarding)),
    ...ipv4,
    ...bridge,
    ...conntrack,
    ...(families.includes('IPv6')
      ? {
          'net.ipv6.conf.all.forwarding': forwarding,
          ...perInterface('ipv6', ipv6Interface),
          ...ipv6,
        }
      : {}),
  }
}

/** Sysctls that kubelet sets on a node and every lab requires: bridged packets pass iptables. */
export function nodeSysctls(families: readonly IpFamily[]): Sysctls {
  return {
    'net.bridge.bridge-nf-call-iptables': 1,
    ...(families.includes('IPv6') ? { 'net.bridge.bridge-nf-call-ip6tables': 1 } : {}),
  }
}

/** An interface copies `default` when it is created; loopback exists before any value is set. */
function perInterface(protocol: string, values: Sysctls): Sysctls {
  return Object.fromEntries(
    ['all', 'default', 'lo'].flatMap((name) =>
      Object.entries(values).map(([key, value]) => [`net.${protocol}.conf.${name}.${key}`, value]),
    ),
  )
}

function ipv4Interface(forwarding: 0 | 1): Sysctls {
  return {
    rp_filter: 0,
    accept_local: 0,
    // a router ignores redirects: the kernel changes its default with forwarding
    accept_redirects: 1 - forwarding,
    secure_redirects: 1,
    shared_media: 1,
    send_redirects: 1,
    accept_source_route: 0,
    route_localnet: 0,
    src_valid_mark: 0,
    arp_ignore: 0,
    arp_announce: 0,
    arp_filter: 0,
    arp_accept: 0,
    proxy_arp: 0,
    proxy_arp_pvlan: 0,
    drop_gratuitous_arp: 0,
    drop_unicast_in_l2_multicast: 0,
    ignore_routes_with_linkdown: 0,
    disable_policy: 0,
    disable_xfrm: 0,
    log_martians: 0,
  }
}

const ipv4: Sysctls = {
  // a lab makes many requests a second: a REJECT that is rate limited would look like a DROP. The mask also exempts
  // ICMP errors from icmp_msgs_per_sec, which all namespaces share on older kernels
  'net.ipv4.icmp_ratelimit': 0,
  'net.ipv4.icmp_ratemask': 0,
  'net.ipv4.icmp_echo_ignore_all': 0,
  'net.ipv4.icmp_echo_ignore_broadcasts': 1,
  'net.ipv4.icmp_errors_use_inbound_ifaddr': 0,
  'net.ipv4.ip_default_ttl': 64,
  'net.ipv4.ip_no_pmtu_disc': 0,
  'net.ipv4.ip_nonlocal_bind': 0,
  'net.ipv4.ip_unprivileged_port_start': 1024,
  'net.ipv4.ip_local_port_range': '32768 60999',
  'net.ipv4.fib_multipath_hash_policy': 0,
  'net.ipv4.tcp_syn_retries': 6,
  'net.ipv4.tcp_synack_retries': 5,
  'net.ipv4.tcp_retries1': 3,
  'net.ipv4.tcp_retries2': 15,
  'net.ipv4.tcp_syncookies': 1,
  'net.ipv4.tcp_max_syn_backlog': 4096,
  'net.ipv4.tcp_abort_on_overflow': 0,
  'net.ipv4.tcp_fin_timeout': 60,
  'net.ipv4.tcp_timestamps': 1,
  'net.ipv4.tcp_tw_reuse': 2,
  'net.core.somaxconn': 4096,
}

/** The fabric is a switch, and only nodes have rules for what passes a bridge. */
const bridge: Sysctls = {
  'net.bridge.bridge-nf-call-iptables': 0,
  'net.bridge.bridge-nf-call-ip6tables': 0,
  'net.bridge.bridge-nf-call-arptables': 0,
}

/** kube-proxy sets some of these again, from its configuration. */
const conntrack: Sysctls = {
  'net.netfilter.nf_conntrack_tcp_loose': 1,
  'net.netfilter.nf_conntrack_tcp_be_liberal': 0,
  'net.netfilter.nf_conntrack_tcp_timeout_syn_sent': 120,
  'net.netfilter.nf_conntrack_tcp_timeout_syn_recv': 60,
  'net.netfilter.nf_conntrack_tcp_timeout_established': 432_000,
  'net.netfilter.nf_conntrack_tcp_timeout_close_wait': 60,
  'net.netfilter.nf_conntrack_tcp_timeout_time_wait': 120,
  'net.netfilter.nf_conntrack_udp_timeout': 30,
  'net.netfilter.nf_conntrack_udp_timeout_stream': 120,
  'net.netfilter.nf_conntrack_icmp_timeout': 30,
}

const ipv6Interface: Sysctls = {
  disable_ipv6: 0,
  // addresses are static and no router advertises: no need to wait or solicit
  accept_dad: 0,
  accept_ra: 0,
  autoconf: 0,
  use_tempaddr: 0,
  accept_redirects: 1,
  accept_source_route: 0,
  hop_limit: 64,
  proxy_ndp: 0,
  drop_unsolicited_na: 0,
  drop_unicast_in_l2_multicast: 0,
  ignore_routes_with_linkdown: 0,
  disable_policy: 0,
}

const ipv6: Sysctls = {
  'net.ipv6.bindv6only': 0,
  'net.ipv6.ip_nonlocal_bind': 0,
  'net.ipv6.icmp.ratelimit': 0,
  // only a type that ICMPv6 does not use is rate limited; see icmp_ratemask
  'net.ipv6.icmp.ratemask': 255,
  'net.ipv6.icmp.echo_ignore_all': 0,
}
