import type { Explanation } from './explanation.js'

/** Settings, routes, links and connection tracking of hosts. */
export const hostCodes = {
  'ip-forward-off': {
    title: 'The node does not forward packets',
    text: 'A node routes packets of its pods only if `net.ipv4.ip_forward` (IPv6: `net.ipv6.conf.all.forwarding`) is 1. With 0 the kernel drops packets for other hosts without notice.',
    look: ['sysctl net.ipv4.ip_forward net.ipv6.conf.all.forwarding'],
    fix: '`sysctl -w net.ipv4.ip_forward=1`, and a file in /etc/sysctl.d, because a reboot resets it.',
  },
  'rp-filter': {
    title: 'Strict reverse path filtering drops the packet',
    text: 'With `rp_filter` 1 the kernel drops a packet if its own route to the source of the packet uses another interface. Routes that differ by direction (two interfaces of a node, a VPN, a tunnel) are enough. The effective value of an interface is the larger one of `all` and its own.',
    look: ['sysctl -a -r rp_filter', 'ip route get SOURCE', 'nstat -az TcpExtIPReversePathFilter'],
    fix: 'Correct the route, or set `rp_filter` to 2 (loose).',
  },
  'bridge-nf-off': {
    title: 'Packets between pods of a node bypass the rules',
    text: 'With `net.bridge.bridge-nf-call-iptables` 0, packets between two ports of a bridge do not pass iptables. The answer of a pod to another pod on the same node then bypasses conntrack, which would restore the address of the Service: the caller gets an answer from an address that it has not called.',
    look: ['sysctl net.bridge.bridge-nf-call-iptables', 'lsmod | grep br_netfilter'],
    fix: '`modprobe br_netfilter` and `sysctl -w net.bridge.bridge-nf-call-iptables=1`.',
  },
  'route-localnet-off': {
    title: 'The kernel does not route packets from or to 127.0.0.0/8',
    text: 'Packets with a loopback address leave or enter by another interface only if `route_localnet` is 1. kube-proxy sets it if it serves node ports on 127.0.0.1.',
    look: ['sysctl net.ipv4.conf.all.route_localnet'],
    fix: 'Call an address of the node, or set `net.ipv4.conf.all.route_localnet` to 1.',
  },
  'host-setting': {
    title: 'A setting of the kernel drops the packet',
    text: 'A sysctl of the host has a value with which its kernel drops this packet. The finding names it.',
    look: ['sysctl NAME'],
    fix: 'Set the value that the finding names.',
  },
  'hairpin-off': {
    title: 'A pod does not reach itself through its Service',
    text: 'If a Service sends the request of a pod to the pod itself, the packet leaves a bridge through the port on which it has arrived. A bridge does that only if hairpin mode of this port is on.',
    look: ['bridge -d link show'],
    fix: '`bridge link set dev PORT hairpin on`; in the CNI plugin bridge, `hairpinMode: true`.',
  },
  'mtu-too-small': {
    title: 'A link loses larger packets',
    text: 'The interface at one end of a link takes smaller packets than the other end sends. The link reports nothing, so that path MTU discovery does not help: handshakes and short answers pass, and transfers stall.',
    look: ['ip link', 'ping -M do -s 1422 ADDRESS'],
    fix: 'Set one MTU at both ends, and that of a tunnel smaller by its header (VXLAN: 50 bytes).',
  },
  'route-missing': {
    title: 'A host has no route to the address',
    text: 'The routing table of the host has no route that leads to the address. The CNI plugin, or the program that writes routes to the pods of other nodes, has not written it, or something has removed it.',
    look: ['ip route get ADDRESS', 'ip route'],
    fix: 'Add the route, or restart what writes it.',
  },
  'overlapping-range': {
    title: 'A range of addresses is used twice',
    text: 'An interface of the host has an address whose range has addresses of pods on another node, such as the bridge of Docker or a VPN. The route of the interface is more specific, and packets for these pods stay on its link.',
    look: [
      'ip -brief address',
      'ip route get ADDRESS',
      'kubectl get nodes -o jsonpath={.items[*].spec.podCIDRs}',
    ],
    fix: 'Give the interface, or the pod network, another range.',
  },
  'asymmetric-path': {
    title: 'A host sees only one direction of the connection',
    text: 'Packets of the caller pass a host that the answers do not pass. Its connection tracking does not see the answer to the first packet, and calls what follows invalid. kube-proxy drops invalid packets, because they could reset a connection.',
    look: ['ip route get ADDRESS', 'conntrack -S', 'sysctl net.netfilter.nf_conntrack_tcp_be_liberal'],
    fix: 'Correct the route, so that both directions pass the same hosts.',
  },
  'host-address-missing': {
    title: 'A host does not have its address',
    text: 'The interface of a node, pod or client has lost the address that it should have. With the address, the kernel removes the routes that use it.',
    look: ['ip address', 'ip route'],
    fix: 'Add the address and the routes again, or restart what configures the interface.',
  },
  'link-down': {
    title: 'A link is down',
    text: 'The interface, or the other end of its link, is down: no packet passes, and the kernel removes the routes that use it.',
    look: ['ip -d link'],
    fix: '`ip link set dev DEVICE up`, and add the routes again that are missing.',
  },
  'policy-routing': {
    title: 'A rule of policy routing sends the packet elsewhere',
    text: 'The rules of `ip rule` are evaluated in the order of their priorities. One before the main table matches the packet, and its table has another route.',
    look: ['ip rule', 'ip route show table all'],
    fix: 'Remove the rule, or add the routes of the cluster to its table.',
  },
  'stale-conntrack-entry': {
    title: 'An entry of conntrack keeps an old destination',
    text: 'Rules of nat are evaluated for the first packet of a connection only. A UDP client that keeps its port continues the entry that its earlier packets have made, even if the rules or the endpoints are different now.',
    look: ['conntrack -L -p udp'],
    fix: 'Delete the entry with `conntrack -D`. kube-proxy deletes entries of endpoints that it removes.',
  },
  'conntrack-full': {
    title: 'Connection tracking is full',
    text: 'The kernel tracks at most `net.netfilter.nf_conntrack_max` connections. When there are as many, it drops the first packet of each new one, and logs "nf_conntrack: table full, dropping packet".',
    look: ['sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max', 'dmesg'],
    fix: 'Set a higher limit (`conntrack.maxPerCore` and `conntrack.min` of kube-proxy), and find what opens so many connections.',
  },
  'ports-exhausted': {
    title: 'No source port is free',
    text: 'A connection is identified by addresses and ports. All ports of a masquerade to one destination are in use, so that the kernel drops further connections.',
    look: ['conntrack -C', 'conntrack -S'],
    fix: 'Use more source addresses or destinations, fewer or longer connections, or a wider `ip_local_port_range`.',
  },
  'answer-bypasses-nat': {
    title: 'The answer bypasses the host that translated the request',
    text: 'A host that rewrites the destination of a request must see the answer, because its conntrack reverses the rewrite. If the answer takes another path, it reaches the caller from an address that the caller has not called, and is discarded.',
    look: ['conntrack -L', 'tcpdump -ni any host ADDRESS'],
    fix: 'Let the answer return through that host: a masquerade, or routes that are the same in both directions.',
  },
  'masquerade-missing': {
    title: 'The node does not masquerade the request',
    text: 'A request from outside that a node sends to a pod of another node needs the source address of the node, so that the answer returns through it. kube-proxy marks such requests (0x4000) and masquerades them in KUBE-POSTROUTING. These rules are missing or not reached.',
    look: ['iptables -t nat -S KUBE-POSTROUTING', 'iptables -t nat -S KUBE-MARK-MASQ'],
    fix: 'Restart kube-proxy on the node: it writes its rules again.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
