import type { Explanation } from './explanation.js'

/** Ingresses, routes and their backends. */
export const ingressCodes = {
  'ingress-host-unmatched': {
    title: 'No Ingress or route has the host name',
    text: 'A controller selects a rule by the host name of the request (over TLS also that of the connection). No rule of its objects has this one, so that the proxy returns 404, or sends the request to its default backend.',
    look: ['kubectl get ingresses,httproutes -A', 'curl -v -H "Host: NAME" http://ADDRESS/'],
    fix: 'Call a host name that a rule has, or correct `spec.rules[].host`.',
  },
  'ingress-path-unmatched': {
    title: 'No path of the host matches',
    text: 'A rule has the host name, and none of its paths matches that of the request. `Prefix` compares whole path elements: /foo matches /foo/bar, not /foobar. `Exact` compares the whole path.',
    look: ['kubectl describe ingress NAME'],
    fix: 'Call a path that a rule has, or correct `path` and `pathType`.',
  },
  'ingress-class-unserved': {
    title: 'The Ingress belongs to another controller, or to none',
    text: 'A controller serves only Ingresses of its class: `spec.ingressClassName`, or the default class for an Ingress without one. An Ingress of a class that does not exist is served by no controller, and nothing reports it.',
    look: ['kubectl get ingresses -A', 'kubectl get ingressclasses'],
    fix: 'Set `spec.ingressClassName` to the class of the controller that is called.',
  },
  'ingress-without-rules': {
    title: 'The controller serves no Ingress or route',
    text: 'No Ingress or route has rules for the port that is called, so that the proxy has nothing to send the request to.',
    look: ['kubectl get ingresses,gateways,httproutes -A'],
    fix: 'Create an Ingress or a route for this controller.',
  },
  'route-not-accepted': {
    title: 'A route is not accepted',
    text: 'The route names a Gateway or a listener that does not exist or does not allow it. Its `status.parents` has a condition with the reason.',
    look: ['kubectl get httproutes NAME -o jsonpath={.status.parents}'],
    fix: 'Correct `spec.parentRefs`, or `allowedRoutes` of the listener.',
  },
  'backend-not-permitted': {
    title: 'A route may not use the backend',
    text: 'The reference of a route is invalid: another kind, or a Service of another namespace that no ReferenceGrant allows. The proxy returns 500.',
    look: ['kubectl get referencegrants -A', 'kubectl get httproutes NAME -o jsonpath={.status.parents}'],
    fix: 'Create a ReferenceGrant in the namespace of the Service, or correct `backendRefs`.',
  },
  'backend-service-absent': {
    title: 'The Service of the backend does not exist there',
    text: 'An Ingress uses only Services of its own namespace. The name is misspelt, or the Service is in another namespace, or it is of type ExternalName and has no endpoints.',
    look: ['kubectl describe ingress NAME', 'kubectl get services -A'],
    fix: 'Correct the name of the Service, or move the Ingress to its namespace.',
  },
  'backend-port-absent': {
    title: 'The Service of the backend does not have the port',
    text: 'The backend names a port, by number or by name, that the Service does not have. It is a port of the Service, not of the container.',
    look: ['kubectl describe ingress NAME', 'kubectl get service NAME'],
    fix: 'Use a port of `spec.ports` of the Service.',
  },
  'proxy-protocol-different': {
    title: 'One side sends a header of the PROXY protocol, the other expects none',
    text: 'With the PROXY protocol, a load balancer sends the address of the client in a header before the request. The load balancer and the proxy behind it must agree: a proxy that expects the header closes connections without it, and one that expects none answers 400.',
    look: ['kubectl get service NAME -o yaml', 'kubectl logs CONTROLLER'],
    fix: 'Turn the PROXY protocol on at both, or off at both.',
  },
  'backend-without-weight': {
    title: 'A rule has no backend that gets requests',
    text: 'The rule of the route has no backend, or only backends with weight 0: the proxy returns an error.',
    look: ['kubectl get httproutes NAME -o yaml'],
    fix: 'Add a backend with a weight.',
  },
  'client-not-allowed': {
    title: 'The rule does not allow the client',
    text: 'An annotation allows ranges of addresses. The proxy sees the address with which packets arrive: after masquerading, that of a node.',
    look: ['kubectl get ingress NAME -o yaml'],
    fix: 'Allow the range, or set `externalTrafficPolicy: Local` for the Service of the proxy.',
  },
  'backend-protocol-different': {
    title: 'The proxy begins with another protocol than the backend speaks',
    text: 'An annotation, a kind of route or an `appProtocol` makes the proxy connect with TLS or HTTP/2, and the backend does not speak it.',
    look: ['kubectl get ingress NAME -o yaml'],
    fix: 'Set the protocol that the backend speaks.',
  },
} as const satisfies Readonly<Record<string, Explanation>>
