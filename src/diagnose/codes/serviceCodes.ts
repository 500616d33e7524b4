import type { Explanation } from './explanation.js'

/** Services and their endpoints. */
export const serviceCodes = {
  'selector-matches-nothing': {
    title: 'The selector of the Service matches no pod',
    text: 'A Service selects pods of its own namespace that have all labels of `spec.selector`. If no pod has them, the EndpointSlices are empty, and kube-proxy writes a rule that rejects each request at once.',
    look: [
      'kubectl get service NAME -o jsonpath={.spec.selector}',
      'kubectl get pods --show-labels',
      'kubectl get endpointslices -l kubernetes.io/service-name=NAME',
    ],
    fix: 'Correct `spec.selector`, or the labels in the template of the workload.',
  },
  'pods-in-other-namespace': {
    title: 'The pods that the selector matches are in another namespace',
    text: 'A Service selects only pods of its own namespace. Pods with the same labels in another namespace are never endpoints of it.',
    look: ['kubectl get pods -A -l KEY=VALUE'],
    fix: 'Create the Service in the namespace of the pods.',
  },
  'workload-without-pods': {
    title: 'The workload behind the Service has no replicas',
    text: 'The selector is correct, but `spec.replicas` of the Deployment, ReplicaSet or StatefulSet is 0: no pod exists that could be an endpoint.',
    look: ['kubectl get deployments,statefulsets'],
    fix: 'Scale the workload: `kubectl scale deployment/NAME --replicas 1`.',
  },
  'no-ready-endpoint': {
    title: 'The Service has no ready endpoint',
    text: 'kube-proxy and ingress controllers send requests only to endpoints that are ready. Without one, kube-proxy rejects the request, and a proxy returns status 503 or closes the connection.',
    look: ['kubectl get endpointslices -l kubernetes.io/service-name=NAME -o yaml'],
    fix: 'Make a pod ready. For a Service without selector, write an EndpointSlice with the label `kubernetes.io/service-name`.',
  },
  'pods-not-ready': {
    title: 'The pods of the Service are not ready',
    text: 'The selector matches pods, but none is ready. Endpoints that are not ready get no requests, unless `spec.publishNotReadyAddresses` is true.',
    look: ['kubectl get pods', 'kubectl describe pod NAME'],
    fix: 'Find out why the pod is not ready: its conditions, its events, and the readiness of each container.',
  },
  'probe-port-unserved': {
    title: 'A probe calls a port on which the pod does not listen',
    text: 'The startup or readiness probe of a container uses a port on which nothing listens. The probe fails, the pod never becomes ready, and the Service has no endpoint.',
    look: ['kubectl describe pod NAME', 'kubectl exec NAME -- ss -lnt'],
    fix: 'Set the port of the probe to one on which the container listens.',
  },
  'targetport-unserved': {
    title: 'Nothing listens on the targetPort',
    text: 'The Service sends requests to `targetPort` of its pods, and nothing listens there: the pod answers with a reset, and the caller gets “connection refused”. If `targetPort` is absent, it is the same number as `port`.',
    look: [
      'kubectl get service NAME -o jsonpath={.spec.ports}',
      'kubectl exec POD -- ss -lntu',
      'kubectl get endpointslices -l kubernetes.io/service-name=NAME',
    ],
    fix: 'Set `targetPort` to the port on which the containers listen.',
  },
  'targetport-name-unknown': {
    title: 'No container port has the name that targetPort has',
    text: 'A `targetPort` that is a name is looked up in `ports` of the containers of each pod, with the same protocol. A pod without a port of this name is no endpoint.',
    look: [
      'kubectl get service NAME -o jsonpath={.spec.ports}',
      'kubectl get pods -o jsonpath={.items[*].spec.containers[*].ports}',
    ],
    fix: 'Use the name of a container port, or its number.',
  },
  'protocol-mismatch': {
    title: 'The port exists, for another protocol',
    text: 'A port of a Service is for one protocol: TCP if `protocol` is absent. A datagram to a port for TCP meets no rule of the Service.',
    look: ['kubectl get service NAME -o jsonpath={.spec.ports}'],
    fix: 'Use the protocol of the port, or add a port with the same number for the other protocol.',
  },
  'service-family-absent': {
    title: 'The Service does not have the IP family of the request',
    text: 'A Service has rules for its `spec.ipFamilies` only. With `ipFamilyPolicy: SingleStack` it has one, also in a cluster with two.',
    look: ['kubectl get service NAME -o jsonpath={.spec.ipFamilies}'],
    fix: 'Call an address of the other family, or set `ipFamilyPolicy: PreferDualStack`.',
  },
  'slice-port-different': {
    title: 'The EndpointSlice has another port than the Service',
    text: 'kube-proxy joins the ports of a Service and of its EndpointSlices by name and protocol, not by number. A slice that is written by hand needs the name that the port of the Service has, which may be empty.',
    look: ['kubectl get endpointslices -l kubernetes.io/service-name=NAME -o yaml'],
    fix: 'Give the port in the slice the name and the protocol of the port in `spec.ports`.',
  },
  'endpoint-absent': {
    title: 'No host has the address of an endpoint',
    text: 'An EndpointSlice has an address that no pod, node or client has. Connections to it end in a timeout, or with “no route to host”. This happens with slices that are written by hand, and with controllers that do not remove pods that are gone.',
    look: [
      'kubectl get endpointslices -l kubernetes.io/service-name=NAME -o yaml',
      'kubectl get pods -o wide',
    ],
    fix: 'Correct or remove the address in the EndpointSlice.',
  },
  'external-policy-local': {
    title: 'externalTrafficPolicy is Local, and the node has no pod of the Service',
    text: 'With `externalTrafficPolicy: Local` a node sends requests from outside only to its own pods, so that they see the address of the client. A node without a ready pod drops these requests (mode ipvs: rejects them). A load balancer finds out through `healthCheckNodePort`.',
    look: [
      'kubectl get service NAME -o jsonpath={.spec.externalTrafficPolicy}',
      'kubectl get pods -o wide',
      'curl http://NODE:HEALTHCHECKNODEPORT/healthz',
    ],
    fix: 'Call a node that has a pod, run a pod on each node, or set `externalTrafficPolicy: Cluster`.',
  },
  'internal-policy-local': {
    title: 'internalTrafficPolicy is Local, and the node has no pod of the Service',
    text: 'With `internalTrafficPolicy: Local` requests to the cluster IP are answered only by pods on the node of the caller. On a node without one, kube-proxy drops them (mode ipvs: rejects them).',
    look: ['kubectl get service NAME -o jsonpath={.spec.internalTrafficPolicy}', 'kubectl get pods -o wide'],
    fix: 'Run a pod on each node, as a DaemonSet does, or set `internalTrafficPolicy: Cluster`.',
  },
  'health-check-fails': {
    title: 'The health check of a Service fails on the node',
    text: 'With `externalTrafficPolicy: Local` kube-proxy answers on `healthCheckNodePort` of each node: 200 if a ready pod of the Service is on the node, otherwise 503. A load balancer sends requests only to nodes that answer 200.',
    look: ['curl http://NODE:HEALTHCHECKNODEPORT/', 'kubectl get pods -o wide'],
    fix: 'Nothing, if the pods are meant to be on other nodes. Otherwise run a pod on the node, or set `externalTrafficPolicy: Cluster`.',
  },
  'load-balancer-unannounced': {
    title: 'No node announces the address of the load balancer',
    text: 'A load balancer in layer-2 mode answers ARP for an address on one node that has a ready endpoint (with `externalTrafficPolicy: Local`, an own one). No node qualifies, and no host answers.',
    look: ['kubectl get service NAME', 'arping ADDRESS'],
    fix: 'Make a pod of the Service ready.',
  },
  'external-ip-unrouted': {
    title: 'Nothing leads packets for an external IP to a node',
    text: '`spec.externalIPs` only makes kube-proxy write rules. No host has the address, and nothing answers ARP for it: the network must route it to a node.',
    look: ['ip route get ADDRESS'],
    fix: 'Add a route to the address through a node, on the client or on its router.',
  },
  'source-range': {
    title: 'The caller is in none of loadBalancerSourceRanges',
    text: 'kube-proxy drops requests to the address of a load balancer whose source is in none of `spec.loadBalancerSourceRanges`. The source is what the node sees: behind a proxy, or after a masquerade, it is not the client.',
    look: ['kubectl get service NAME -o jsonpath={.spec.loadBalancerSourceRanges}'],
    fix: 'Add the address of the caller to the ranges.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
