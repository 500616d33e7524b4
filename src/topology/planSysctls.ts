import type { IpFamily } from '../cluster/types.js'
import type { Stage } from './types.js'
import type { NodePlace } from './layOut.js'

const folder = '/run/vethlab/sysctl'

/** Sysctls by dotted name. */
export type Sysctls = Readonly<Record<string, string | number>>

/**
 * What a CNI plugin and kubelet leave set on a node: forwarding, bridged packets passing iptables, loose reverse paths.
 * All are set, never assumed: a new IPv4 namespace copies the machine's own values (devconf_inherit_init_net).
 */
export function nodeSysctls(families: readonly IpFamily[]): Sysctls {
  return {
    'net.ipv4.ip_forward': 1,
    'net.ipv4.conf.all.rp_filter': 0,
    'net.ipv4.conf.default.rp_filter': 0,
    'net.ipv4.conf.eth0.rp_filter': 0,
    'net.ipv4.conf.cni0.rp_filter': 0,
    'net.bridge.bridge-nf-call-iptables': 1,
    // a lab asks many times in a second: a REJECT that is rationed would look like a DROP
    'net.ipv4.icmp_ratelimit': 0,
    ...(families.includes('IPv6')
      ? {
          'net.ipv6.conf.all.forwarding': 1,
          'net.bridge.bridge-nf-call-ip6tables': 1,
          'net.ipv6.icmp.ratelimit': 0,
        }
      : {}),
  }
}

/** One `sysctl -p` per node, with what `more` adds for it (kube-proxy's own). */
export function planSysctls(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  more: (node: string) => Sysctls,
): Stage {
  return {
    title: 'sysctls of the nodes',
    files: nodes.map((node) => ({
      path: `${folder}/${node.netns}`,
      text: Object.entries({ ...nodeSysctls(families), ...more(node.name) })
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    })),
    commands: [
      {
        argv: ['nsenter', '--net=/run/netns/{}', 'sysctl', '-q', '-p', `${folder}/{}`],
        each: nodes.map((node) => node.netns),
      },
    ],
  }
}
