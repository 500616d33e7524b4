import type { KubeObject, LabelSelector } from './object.js'

/** ClusterNetworkPolicy of policy.networking.k8s.io/v1alpha2: ordered rules about the pods of any namespace. */
export interface ClusterNetworkPolicy extends KubeObject {
  kind: 'ClusterNetworkPolicy'
  spec: {
    /** Admin policies are evaluated before NetworkPolicies, Baseline policies after them. */
    tier: string
    /** From 0 to 1000; lower ones are evaluated first. */
    priority: number
    subject: PodsOfNamespaces
    ingress?: ClusterNetworkPolicyRule[]
    egress?: ClusterNetworkPolicyRule[]
  }
  status?: object
}

/** What happens to packets of some peers; the first rule that matches decides. */
export interface ClusterNetworkPolicyRule {
  name?: string
  /** `Accept`, `Deny`, or `Pass`: the next tier decides. */
  action: string
  /** Of ingress. */
  from?: ClusterNetworkPolicyPeer[]
  /** Of egress. */
  to?: ClusterNetworkPolicyPeer[]
  /** Absent means any. */
  protocols?: ClusterNetworkPolicyProtocol[]
}

/** Pods: exactly one field is set. */
export interface PodsOfNamespaces {
  namespaces?: LabelSelector
  pods?: { namespaceSelector: LabelSelector; podSelector: LabelSelector }
}

/** One other end: exactly one field is set; those of egress are more. */
export interface ClusterNetworkPolicyPeer extends PodsOfNamespaces {
  /** Addresses of nodes with these labels. */
  nodes?: LabelSelector
  networks?: string[]
  domainNames?: string[]
}

/** A protocol, with a port of the pod that receives or without; or a port by its name in that pod. */
export interface ClusterNetworkPolicyProtocol {
  tcp?: DestinationPort
  udp?: DestinationPort
  sctp?: DestinationPort
  destinationNamedPort?: string
}

/** A port or a range; absent means all ports. */
export interface DestinationPort {
  destinationPort?: { number?: number; range?: { start: number; end: number } }
}
