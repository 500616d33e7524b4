import type { KubeObject, LabelSelector } from './object.js'

/** NetworkPolicy of networking.k8s.io/v1, as the API server stores it: with its defaults. */
export interface NetworkPolicy extends KubeObject {
  kind: 'NetworkPolicy'
  spec: {
    podSelector: LabelSelector
    ingress?: NetworkPolicyIngressRule[]
    egress?: NetworkPolicyEgressRule[]
    policyTypes?: string[]
  }
}

/** Traffic that a policy allows to its pods; absent or empty means any source, or any port. */
export interface NetworkPolicyIngressRule {
  from?: NetworkPolicyPeer[]
  ports?: NetworkPolicyPort[]
}

/** The same for traffic from its pods. */
export interface NetworkPolicyEgressRule {
  to?: NetworkPolicyPeer[]
  ports?: NetworkPolicyPort[]
}

/** One other end: pods, pods of some namespaces, or a range of addresses. */
export interface NetworkPolicyPeer {
  podSelector?: LabelSelector
  namespaceSelector?: LabelSelector
  ipBlock?: { cidr: string; except?: string[] }
}

/** Ports of the pod that receives: all ports of a protocol without `port`, a range with `endPort`. */
export interface NetworkPolicyPort {
  protocol?: string
  port?: number | string
  endPort?: number
}
