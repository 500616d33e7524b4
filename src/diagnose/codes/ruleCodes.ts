import type { Explanation } from './explanation.js'

/** Rules of firewalls and of kube-proxy. */
export const ruleCodes = {
  'forward-policy-drop': {
    title: 'The policy of FORWARD is DROP',
    text: 'Packets of pods pass the chain FORWARD of their node. No rule accepts this one, and the policy of the chain is DROP: Docker and ufw set it so. KUBE-FORWARD accepts only packets with the mark 0x4000 and those of known connections.',
    look: ['iptables -S FORWARD', 'nft list ruleset'],
    fix: '`iptables -P FORWARD ACCEPT`, or rules in FORWARD that accept the ranges of pods.',
  },
  'chain-policy-drop': {
    title: 'The policy of a chain is DROP',
    text: 'No rule of a built-in chain accepts the packet, and the policy of the chain is DROP. In INPUT this also concerns packets of a tunnel between nodes, which are for the node itself.',
    look: ['iptables -S', 'nft list ruleset'],
    fix: 'Add a rule that accepts the packet, or set the policy to ACCEPT.',
  },
  'foreign-rule': {
    title: 'A rule of another program decides',
    text: 'A rule that neither kube-proxy nor the CNI plugin has written drops, rejects, rewrites or marks the packet. In nat the first rule that rewrites a connection decides, and kube-proxy’s come after it.',
    look: ['iptables-save -c', 'nft list ruleset'],
    fix: 'Remove the rule, or let its program except the ranges of pods and Services.',
  },
  'dropped-by-rule': {
    title: 'A rule drops or rejects the packet',
    text: 'The finding names the host, the table, the chain and the rule. DROP leaves the caller waiting, REJECT answers at once.',
    look: ['iptables-save -c'],
    fix: 'Find out which program has written the rule, and change its configuration.',
  },
  'dropped-by-kernel': {
    title: 'The kernel drops the packet',
    text: 'No rule drops the packet: the kernel does, because of its addresses, the state of the connection or a resource. The finding has the reason.',
    look: ['nstat -az', 'dmesg'],
    fix: 'See the reason in the finding.',
  },
  'address-absent': {
    title: 'No host has the address',
    text: 'The packet is sent to a link on which no host has the address: nothing answers the ARP request or neighbour solicitation.',
    look: ['ip neigh', 'ip route get ADDRESS'],
    fix: 'Call an address that a host has, or correct the route that leads to this link.',
  },
  'connection-closed': {
    title: 'A proxy closes the connection, or answers with an error',
    text: 'A proxy (an ingress controller, a load balancer, kube-proxy in mode userspace) has accepted the connection, and does not pass the request on. The finding has the reason.',
    look: ['curl -v URL', 'kubectl logs POD'],
    fix: 'See the reason in the finding.',
  },
  'not-predicted': {
    title: 'What happens next is not known',
    text: 'The path depends on something that could not be read, or that this version does not evaluate. The answer is not a guess: the request possibly passes.',
    look: ['vethlab trace LAB FROM URL'],
    fix: 'Send the request in a running lab, which decides it.',
  },
  'rules-missing': {
    title: 'Rules of kube-proxy are missing',
    text: 'A table, chain or rule that kube-proxy writes for these objects is absent. kube-proxy does not run, cannot reach the API server, or something flushed its rules: it writes them again at the next full synchronisation.',
    look: ['kubectl -n kube-system get pods -o wide', 'kubectl -n kube-system logs KUBE-PROXY'],
    fix: 'Restart kube-proxy on the node, and find out what removed the rules.',
  },
  'cluster-cidr-wrong': {
    title: 'clusterCIDR of kube-proxy does not have the pods',
    text: 'With `detectLocalMode: ClusterCIDR` kube-proxy recognises pods by `clusterCIDR`. A pod outside of it is treated as a client outside of the cluster: its requests to Services are masqueraded, and `externalTrafficPolicy: Local` applies to them.',
    look: [
      'kubectl -n kube-system get configmap kube-proxy -o yaml',
      'kubectl get nodes -o jsonpath={.items[*].spec.podCIDRs}',
    ],
    fix: 'Set `clusterCIDR` to the network of the pods, and restart kube-proxy on every node.',
  },
  'node-port-addresses': {
    title: 'nodePortAddresses of kube-proxy leaves out the address',
    text: 'With `nodePortAddresses` kube-proxy serves node ports only on addresses of the node that are in these ranges. On a node with several interfaces, the address that is called can be the one of another interface; `primary` is the address in `status.addresses` of the Node.',
    look: [
      'kubectl -n kube-system get configmap kube-proxy -o yaml',
      'kubectl get nodes -o wide',
      'ip -brief address',
    ],
    fix: 'Add the range of the address to `nodePortAddresses`, and restart kube-proxy; or call an address that is in it.',
  },
  'rules-stale': {
    title: 'Rules of kube-proxy are older than the objects',
    text: 'A chain is for a Service or an endpoint that the objects no longer have: kube-proxy has not seen the change, or has failed to write it.',
    look: ['kubectl -n kube-system logs KUBE-PROXY', 'curl http://localhost:10256/healthz'],
    fix: 'Restart kube-proxy on the node.',
  },
  'rules-extra': {
    title: 'A chain of kube-proxy has a rule that is not its own',
    text: 'Something has added a rule to a chain of kube-proxy. It applies until kube-proxy writes the chain again.',
    look: ['iptables-save'],
    fix: 'Remove the rule, or restart kube-proxy on the node.',
  },
  'rules-different': {
    title: 'A rule of kube-proxy has another form',
    text: 'The rule is there, and one of its parts differs from what kube-proxy writes for these objects: an older version, another configuration (`clusterCIDR`, masquerade bit), or an edit.',
    look: ['kubectl -n kube-system get configmap kube-proxy -o yaml'],
    fix: 'Compare version and configuration of kube-proxy; restart it.',
  },
  'rules-out-of-order': {
    title: 'Rules of kube-proxy are in another order',
    text: 'The rules are complete, but their order changes which one applies first.',
    look: ['iptables-save'],
    fix: 'Restart kube-proxy on the node: it writes the chains again.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
