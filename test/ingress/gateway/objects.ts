import type {
  GatewayListener,
  HTTPRouteMatch,
  RouteBackendReference,
} from '../../../src/cluster/types/gateway.js'

/** `spec.controllerName` of the GatewayClass of these Gateways. */
export const controller = 'example.com/gateway'

/** The API group of these objects. */
export const group = 'gateway.networking.k8s.io'

/** An object of the Gateway API. */
export function gatewayObject(kind: string, name: string, spec: object, metadata: object = {}) {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, ...metadata }, spec }
}

/** The GatewayClass `lab`. */
export const gatewayClass = gatewayObject('GatewayClass', 'lab', { controllerName: controller })

/** A listener, by default for HTTP on port 80. */
export function listener(name: string, more: Partial<GatewayListener> = {}): GatewayListener {
  return { name, port: 80, protocol: 'HTTP', ...more }
}

/** The Gateway `edge`. */
export function gateway(listeners: readonly GatewayListener[], more: object = {}, metadata: object = {}) {
  return gatewayObject('Gateway', 'edge', { gatewayClassName: 'lab', listeners, ...more }, metadata)
}

/** A route to the Gateway `edge`. */
export function route(kind: string, name: string, spec: object, metadata: object = {}) {
  return gatewayObject(kind, name, { parentRefs: [{ name: 'edge' }], ...spec }, metadata)
}

/** An HTTPRoute to the Gateway `edge`. */
export function httpRoute(name: string, spec: object, metadata: object = {}) {
  return route('HTTPRoute', name, spec, metadata)
}

/** Port 80 of a Service. */
export function to(name: string, more: Partial<RouteBackendReference> = {}): RouteBackendReference {
  return { name, port: 80, ...more }
}

/** A match of a path prefix. */
export function below(value: string, more: HTTPRouteMatch = {}): HTTPRouteMatch {
  return { path: { type: 'PathPrefix', value }, ...more }
}

/** A match of an exact path. */
export function exactly(value: string): HTTPRouteMatch {
  return { path: { type: 'Exact', value } }
}

/** A rule that forwards matching requests to port 80 of a Service. */
export function rule(backend: string, ...matches: readonly HTTPRouteMatch[]) {
  return { ...(matches.length === 0 ? {} : { matches }), backendRefs: [to(backend)] }
}

/** A ReferenceGrant: objects of a kind in another namespace may use the Services of this one, or `target`. */
export function grant(from: { kind: string; namespace: string }, target: object, metadata: object = {}) {
  const spec = { from: [{ group, ...from }], to: [{ group: '', kind: 'Service', ...target }] }
  return gatewayObject('ReferenceGrant', 'grant', spec, metadata)
}
