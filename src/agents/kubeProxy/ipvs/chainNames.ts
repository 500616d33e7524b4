/** kube-proxy's chains in IPVS mode; note KUBE-NODE-PORT, where the iptables mode has KUBE-NODEPORTS. */
export const ipvsChain = {
  services: 'KUBE-SERVICES',
  postrouting: 'KUBE-POSTROUTING',
  nodePort: 'KUBE-NODE-PORT',
  loadBalancer: 'KUBE-LOAD-BALANCER',
  markMasq: 'KUBE-MARK-MASQ',
  forward: 'KUBE-FORWARD',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  sourceRanges: 'KUBE-SOURCE-RANGES-FIREWALL',
  filter: 'KUBE-IPVS-FILTER',
  outFilter: 'KUBE-IPVS-OUT-FILTER',
} as const
