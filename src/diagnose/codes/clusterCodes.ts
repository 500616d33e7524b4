import type { Explanation } from './explanation.js'

/** What concerns a cluster or a node as a whole, whichever request is sent. */
export const clusterCodes = {
  'ranges-overlap': {
    title: 'Ranges of addresses overlap',
    text: 'Pods, Services and nodes each need their own range, and each node its own part of that of the pods. Where two overlap, an address means two things: routes, rules and masquerading send packets for one to the other.',
    look: [
      'kubectl get nodes -o custom-columns=NAME:.metadata.name,PODS:.spec.podCIDRS,ADDRESSES:.status.addresses',
      'kubectl get servicecidrs',
      'ip route show table all',
    ],
    fix: 'Give each its own range. Nodes get theirs when they join, and Services when they are created: both must be created again.',
  },
  'cluster-cidr-different': {
    title: 'clusterCIDR does not hold the pods',
    text: 'kube-proxy masquerades requests to cluster IPs that come from outside of `clusterCIDR`. Pods whose addresses are not in it look like clients outside of the cluster: servers see the address of a node in place of the pod, and rules that allow single pods do not match.',
    look: [
      'kubectl -n kube-system get configmap kube-proxy -o yaml',
      'kubectl get pods -A -o wide',
      'iptables-save -t nat | grep KUBE-MARK-MASQ',
    ],
    fix: 'Set `clusterCIDR` in the ConfigMap kube-system/kube-proxy to the range of the pods, and restart kube-proxy on each node.',
  },
  'address-duplicate': {
    title: 'An address or a node port is in use twice',
    text: 'Two pods, nodes or Services have the same address, or two Services the same node port. Packets reach only one of them, and which one depends on routes, neighbours and the order of rules.',
    look: ['kubectl get pods,services -A -o wide', 'kubectl get nodes -o wide', 'ip neigh'],
    fix: 'Delete one of the objects, and let it be created with another address or port. Find out which program allocates addresses twice.',
  },
  'node-port-taken': {
    title: 'A program on the nodes uses the port of a node port',
    text: 'A node port is a rule in nat PREROUTING and OUTPUT, which is evaluated before the kernel looks for a socket. A pod in the network of the node, or with a `hostPort`, that uses the same port gets no connection, or takes those of the Service. Nothing reports it.',
    look: ['kubectl get services -A', 'ss -lntup', 'iptables-save -t nat'],
    fix: 'Give the Service another `nodePort`, or the program a port outside of 30000-32767.',
  },
  'both-backends': {
    title: 'Both backends of iptables have rules',
    text: 'iptables-legacy and iptables-nft write to two parts of the kernel, and nftables has tables of its own: a packet passes all of them, and each can drop or rewrite it. Each tool shows only its own. Rules of a kube-proxy that used another backend or mode stay until the node restarts.',
    look: ['iptables-legacy-save', 'iptables-nft-save', 'nft list ruleset'],
    fix: 'Let all programs of the node use one backend, and remove the rules of the other one: `kube-proxy --cleanup`, or a restart of the node.',
  },
  'mark-collision': {
    title: 'Another program uses the mark of kube-proxy',
    text: 'kube-proxy marks packets that it wants to masquerade with bit 14 (0x4000, `masqueradeBit`), and kubelet those to drop with bit 15 (0x8000). A program that sets or ends packets with these bits has them masqueraded or dropped without a reason, or loses its own.',
    look: ['iptables-save | grep -i mark', 'ip rule'],
    fix: 'Configure other bits for one of the programs: `iptables.masqueradeBit` of kube-proxy, or the mask of the other one.',
  },
  'kube-proxies-differ': {
    title: 'kube-proxies differ: their versions, modes or configuration',
    text: 'Nodes behave alike only if their kube-proxies do. During an upgrade a difference of one version is normal. Different modes, or nodes that stay behind, lead to Services that work on some nodes only. kube-proxy reads its ConfigMap when it starts: where its rules show another mode or `clusterCIDR`, a restart may change them.',
    look: [
      'kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide',
      'kubectl -n kube-system get daemonset kube-proxy -o yaml',
    ],
    fix: 'Complete the upgrade, or restart kube-proxy on the nodes with the older one. Correct a ConfigMap before kube-proxy restarts.',
  },
  'rules-of-old-version': {
    title: 'The rules are those of an old kube-proxy',
    text: 'kube-proxy before 1.24 has chains KUBE-XLB-… where later ones have KUBE-EXT-…. If the cluster has a newer version, the kube-proxy of this node is old, or has not run since the upgrade.',
    look: [
      'kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide',
      'iptables-save -t nat | grep XLB',
    ],
    fix: 'Upgrade kube-proxy on the node to the version of the API server.',
  },
  'api-warning': {
    title: 'The API server warns about a manifest',
    text: 'The API server accepts the object and answers with a warning, which kubectl prints: a field is deprecated, ignored, or written twice. Requests are not known to fail by it. Objects that a cluster has stored are not checked: the warning came when they were written.',
    look: ['kubectl apply --dry-run=server -f FILE'],
    fix: 'Change the field that the warning names. If it is ignored, remove it.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
