import type { Explanation } from './explanation.js'

/** Requests that no Service answers as they are made. */
export const requestCodes = {
  'service-port-absent': {
    title: 'The Service does not have the port that is called',
    text: 'kube-proxy writes rules for the ports of a Service only. A request to another port of a cluster IP meets none of them, and leaves the node towards an address that no host has.',
    look: ['kubectl get service NAME'],
    fix: 'Call a port of `spec.ports`, or add one. A port of the container is no port of the Service.',
  },
  'service-answers-no-ping': {
    title: 'A Service address answers no ping',
    text: 'The address of a Service exists only in rules for its ports; in the modes iptables and nftables no interface has it. An echo request matches none of these rules.',
    look: ['kubectl get service NAME'],
    fix: 'Call a port of the Service instead: `curl`, `nc`.',
  },
  'node-port-absent': {
    title: 'No Service has the node port that is called',
    text: 'The port on the node is none of the node ports, and nothing on the node listens on it: the node answers with a reset.',
    look: ['kubectl get services -A'],
    fix: 'Call the `nodePort` of the Service, which is not its `port`.',
  },
  'node-port-on-loopback': {
    title: 'Node ports are not served on this loopback address',
    text: 'In mode iptables, node ports work on 127.0.0.1 only if `iptables.localhostNodePorts` is true and `route_localnet` is set. They never work on ::1, nor on any loopback address in mode nftables; in mode ipvs they do not either.',
    look: [
      'kubectl -n kube-system get configmap kube-proxy -o yaml',
      'sysctl net.ipv4.conf.all.route_localnet',
    ],
    fix: 'Call an address of the node itself.',
  },
  'cluster-ip-absent': {
    title: 'No Service has the cluster IP that is called',
    text: 'The address is in the range of cluster IPs, and no Service has it. No rule translates it, and no host has it.',
    look: ['kubectl get services -A'],
    fix: 'Call the address that the Service has now, or its DNS name. An address is released when its Service is deleted.',
  },
  'cluster-ip-from-outside': {
    title: 'A client outside the cluster calls a cluster IP',
    text: 'Only the rules on nodes translate a cluster IP, for packets that pass them. A client outside the cluster has no route that leads to a node for it.',
    look: ['ip route get ADDRESS'],
    fix: 'Call a node port or the address of a load balancer, or add a route to a node.',
  },
  'load-balancer-address-absent': {
    title: 'No Service has the address of the load balancer',
    text: 'The address is in the pool of the load balancer, and no Service has it now.',
    look: ['kubectl get services -A'],
    fix: 'Call the address in `status.loadBalancer` of the Service.',
  },
  'port-unserved': {
    title: 'Nothing listens on the port',
    text: 'The packet arrives at the host that has the address, and no process listens on the port there: its kernel answers with a reset, or for UDP with an ICMP error.',
    look: ['ss -lntu'],
    fix: 'Call a port on which a process listens, or start the process.',
  },
  'protocol-different': {
    title: 'The request begins with another protocol than the server speaks',
    text: 'The connection opens, then TLS or HTTP fails: https to a server without TLS, http to a port for TLS, or HTTP/2 to a server of HTTP/1.1.',
    look: ['curl -v URL'],
    fix: 'Call the other scheme, or a port that speaks it.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
