import type { Probe } from './probe.js'
import { ipvsRequirements } from './requirements.js'

/** The kernel features that labs need besides iptables; run in order in one sandbox. */
export const kernelProbes: readonly Probe[] = [
  {
    name: 'network namespaces',
    required: true,
    neededFor: 'nodes, pods and clients',
    script: 'ip netns add probe; nsenter --net=/run/netns/probe true; ip netns del probe',
  },
  {
    name: 'PID namespaces',
    required: true,
    neededFor: 'ending all processes of a lab at once',
    script: 'unshare --pid --fork --kill-child --mount-proc true',
  },
  {
    name: 'veth',
    required: true,
    neededFor: 'links between namespaces',
    script: 'ip link add probe0 type veth peer name probe1',
    module: 'veth',
    option: 'CONFIG_VETH',
  },
  {
    name: 'bridge',
    required: true,
    neededFor: 'the fabric, and cni0 on each node',
    script: 'ip link add probebr0 type bridge',
    module: 'bridge',
    option: 'CONFIG_BRIDGE',
  },
  {
    name: 'br_netfilter',
    required: true,
    neededFor: 'Services between pods of one node',
    script: 'for family in ip ip6; do echo 1 > /proc/sys/net/bridge/bridge-nf-call-${family}tables; done',
    module: 'br_netfilter',
    option: 'CONFIG_BRIDGE_NETFILTER',
  },
  {
    name: 'IPv4 forwarding',
    required: true,
    neededFor: 'routing on nodes',
    script: 'echo 1 > /proc/sys/net/ipv4/ip_forward',
  },
  {
    name: 'conntrack',
    required: true,
    neededFor: 'NAT, and checks of the connection tracking table',
    script: 'conntrack -L',
    module: 'nf_conntrack_netlink',
    option: 'CONFIG_NF_CT_NETLINK',
  },
  {
    name: 'overlay on /etc',
    required: false,
    neededFor: 'a resolv.conf for each pod',
    script:
      'mkdir /run/upper /run/work; mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc; umount /etc',
    module: 'overlay',
    option: 'CONFIG_OVERLAY_FS',
  },
  {
    name: 'IPv6',
    required: false,
    neededFor: 'labs with IPv6',
    script: 'ip -6 address add fd00::1/64 dev lo; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding',
    module: 'ipv6',
    option: 'CONFIG_IPV6',
  },
  {
    name: 'nftables nat',
    required: false,
    neededFor: "kube-proxy's nftables mode",
    script: "nft 'add table ip probe; add chain ip probe nat { type nat hook prerouting priority -100; }'",
    module: 'nft_chain_nat',
    option: 'CONFIG_NFT_NAT',
  },
  {
    name: 'VXLAN',
    required: false,
    neededFor: 'overlay networks between nodes',
    script: 'ip link add probevx0 type vxlan id 1 dstport 4789',
    module: 'vxlan',
    option: 'CONFIG_VXLAN',
  },
]

/** The kernel features for IPVS, tested in a sandbox whose root is the host's. */
export const ipvsProbes: readonly Probe[] = ipvsRequirements.map(({ name, modules, option, commands }) => ({
  ...{ name, required: false, neededFor: "kube-proxy's ipvs mode", option },
  script: commands.join('; '),
  module: modules.length === 1 ? modules.join('') : `-a ${modules.join(' ')}`,
}))
