import type { Explanation } from './explanation.js'

/** NetworkPolicies and what enforces them. */
export const policyCodes = {
  'denied-by-policy': {
    title: 'A NetworkPolicy denies the packet',
    text: 'A policy isolates the pod that is called (ingress) or the pod that calls (egress), and no rule of such a policy allows the packet. Policies only allow: the rules of all policies that select a pod count together, and both ends have to allow a connection. The finding names the policies and the rule that nearly matches.',
    look: [
      'kubectl get networkpolicy -A',
      'kubectl describe networkpolicy NAME',
      'kubectl get pods --show-labels',
    ],
    fix: 'Allow the peer and the port in a rule of a policy that selects the pod, or correct the labels that do not fit.',
  },
  'denied-by-cluster-policy': {
    title: 'A ClusterNetworkPolicy denies the packet',
    text: 'The first rule that matches the packet, in the order of tiers and priorities, has the action Deny. Policies of tier Admin are evaluated before NetworkPolicies, which cannot allow what they deny; those of tier Baseline only for pods that no NetworkPolicy isolates.',
    look: ['kubectl get clusternetworkpolicies', 'kubectl get clusternetworkpolicy NAME -o yaml'],
    fix: 'Add a rule with the action Accept or Pass before it, in the same policy or in one with a lower priority value. A NetworkPolicy that allows the packet is enough against tier Baseline.',
  },
  'policy-service-port': {
    title: 'A NetworkPolicy has the port of the Service, not that of the pod',
    text: 'Policies are evaluated after DNAT: the packet already has the port of the pod (`targetPort`). A rule with the port of the Service does not match it.',
    look: ['kubectl get service NAME -o yaml', 'kubectl describe networkpolicy NAME'],
    fix: 'Write the `targetPort` of the Service, or the name of the port in the pod, in the rule of the policy.',
  },
  'policy-masqueraded-source': {
    title: 'A NetworkPolicy sees the address of a node',
    text: 'With `externalTrafficPolicy: Cluster` a node masquerades packets from outside. A policy on the node of the pod then sees the address of that node, and an `ipBlock` with the address of the client does not match.',
    look: ['kubectl get service NAME -o yaml', 'kubectl describe networkpolicy NAME'],
    fix: 'Set `externalTrafficPolicy: Local`, which keeps the address of the client, or allow the addresses of the nodes.',
  },
  'policy-without-dns': {
    title: 'A NetworkPolicy for egress leaves out DNS',
    text: 'A policy isolates the pod for egress and allows no packets to port 53: every name that the pod looks up fails, and so does every request by name.',
    look: ['kubectl describe networkpolicy NAME', 'kubectl exec POD -- nslookup kubernetes.default'],
    fix: 'Add an egress rule for port 53 of UDP and TCP.',
  },
  'policy-selects-nothing': {
    title: 'A NetworkPolicy selects no pod',
    text: 'No pod in the namespace of the policy has the labels of its `podSelector`: the policy has no effect, and pods that it should protect stay open.',
    look: ['kubectl describe networkpolicy NAME', 'kubectl get pods --show-labels'],
    fix: 'Correct `spec.podSelector`, or the labels of the pods.',
  },
  'policy-same-priority': {
    title: 'ClusterNetworkPolicies of the same priority',
    text: 'Two ClusterNetworkPolicies of one tier have the same priority and select the same pod. Where rules of both match a packet, the API leaves open which one decides: implementations differ. In a lab, the names of the policies decide.',
    look: ['kubectl get clusternetworkpolicies'],
    fix: 'Give each policy of a tier its own `spec.priority`.',
  },
  'policy-not-enforced': {
    title: 'No program enforces NetworkPolicies',
    text: 'The cluster stores policies, and no node has rules for them: the CNI plugin does not support NetworkPolicies, or its agent does not run. Everything that the policies should deny passes. ClusterNetworkPolicies need an agent that knows them: kube-router, Azure NPM and Weave Net do not.',
    look: ['iptables-save | grep -c KUBE-NWPLCY', 'kubectl -n kube-system get pods -o wide'],
    fix: 'Install a CNI plugin, or an agent beside it, that enforces NetworkPolicies.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
