/**
 * The objects of the Gateway API, as far as they affect a proxy, in the API's field names. Source:
 * gateway.networking.k8s.io/v1, the types of Gateway API v1.5.
 */

import type { KubeObject, LabelSelector } from './object.js'

/** metav1.Condition. */
export interface GatewayCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  observedGeneration: number
  lastTransitionTime?: string
  reason: string
  message: string
}

export interface GatewayClass extends KubeObject {
  kind: 'GatewayClass'
  spec: {
    controllerName: string
    description?: string
    parametersRef?: { group: string; kind: string; name: string; namespace?: string }
  }
  status?: { conditions?: GatewayCondition[]; supportedFeatures?: { name: string }[] }
}

export interface SecretObjectReference {
  group?: string
  kind?: string
  name: string
  namespace?: string
}

export interface RouteGroupKind {
  group?: string
  kind: string
}

export interface GatewayListener {
  name: string
  hostname?: string
  port: number
  protocol: string
  tls?: {
    mode?: 'Terminate' | 'Passthrough'
    certificateRefs?: SecretObjectReference[]
    options?: Record<string, string>
  }
  allowedRoutes?: {
    namespaces?: FromNamespaces
    kinds?: RouteGroupKind[]
  }
}

export interface ListenerStatus {
  name: string
  supportedKinds: RouteGroupKind[]
  attachedRoutes: number
  conditions: GatewayCondition[]
}

/** A `from` of namespaces, with the selector of `Selector`. */
export interface FromNamespaces {
  from?: 'All' | 'Same' | 'Selector' | 'None'
  selector?: LabelSelector
}

export interface Gateway extends KubeObject {
  kind: 'Gateway'
  spec: {
    gatewayClassName: string
    listeners: GatewayListener[]
    addresses?: { type?: string; value?: string }[]
    infrastructure?: {
      labels?: Record<string, string>
      annotations?: Record<string, string>
      parametersRef?: object
    }
    allowedListeners?: { namespaces?: FromNamespaces }
    tls?: { frontend?: object; backend?: object }
    backendTLS?: object
  }
  status?: {
    addresses?: { type: string; value: string }[]
    conditions?: GatewayCondition[]
    listeners?: ListenerStatus[]
    attachedListenerSets?: number
  }
}

/** More listeners for a Gateway. */
export interface ListenerSet extends KubeObject {
  kind: 'ListenerSet'
  spec: {
    parentRef: { group?: string; kind?: string; name: string; namespace?: string }
    listeners: GatewayListener[]
  }
  status?: { conditions?: GatewayCondition[]; listeners?: ListenerStatus[] }
}

/** What routes attach to: an object with listeners. */
export type ListenerOwner = Gateway | ListenerSet

export interface ParentReference {
  group?: string
  kind?: string
  namespace?: string
  name: string
  sectionName?: string
  port?: number
}

export interface BackendReference {
  group?: string
  kind?: string
  name: string
  namespace?: string
  port?: number
}

export interface HeaderFilter {
  set?: { name: string; value: string }[]
  add?: { name: string; value: string }[]
  remove?: string[]
}

export interface PathModifier {
  type: 'ReplaceFullPath' | 'ReplacePrefixMatch'
  replaceFullPath?: string
  replacePrefixMatch?: string
}

/** A filter of an HTTPRoute or a GRPCRoute; the field of its type is set. */
export interface RouteFilter {
  type: string
  requestHeaderModifier?: HeaderFilter
  responseHeaderModifier?: HeaderFilter
  requestMirror?: {
    backendRef: BackendReference
    percent?: number
    fraction?: { numerator: number; denominator?: number }
  }
  requestRedirect?: {
    scheme?: 'http' | 'https'
    hostname?: string
    path?: PathModifier
    port?: number
    statusCode?: 301 | 302 | 303 | 307 | 308
  }
  urlRewrite?: { hostname?: string; path?: PathModifier }
  extensionRef?: { group: string; kind: string; name: string }
}

export interface RouteBackendReference extends BackendReference {
  weight?: number
  filters?: RouteFilter[]
}

/** A match of a header or a query parameter. */
export interface NameValueMatch {
  type?: 'Exact' | 'RegularExpression'
  name: string
  value: string
}

export interface HTTPRouteMatch {
  path?: { type?: 'Exact' | 'PathPrefix' | 'RegularExpression'; value?: string }
  headers?: NameValueMatch[]
  queryParams?: NameValueMatch[]
  method?: string
}

export interface HTTPRouteRule {
  name?: string
  matches?: HTTPRouteMatch[]
  filters?: RouteFilter[]
  backendRefs?: RouteBackendReference[]
  timeouts?: { request?: string; backendRequest?: string }
}

/** The conditions that a controller reports for a route and one of its parents. */
export interface RouteParentStatus {
  parentRef: ParentReference
  controllerName: string
  conditions: GatewayCondition[]
}

export interface RouteStatus {
  parents: RouteParentStatus[]
}

/** Fields that routes of every kind have. */
export interface RouteSpec {
  parentRefs?: ParentReference[]
  hostnames?: string[]
  useDefaultGateways?: string
}

export interface HTTPRoute extends KubeObject {
  kind: 'HTTPRoute'
  spec: RouteSpec & { rules?: HTTPRouteRule[] }
  status?: RouteStatus
}

export interface GRPCRouteMatch {
  method?: { type?: 'Exact' | 'RegularExpression'; service?: string; method?: string }
  headers?: NameValueMatch[]
}

export interface GRPCRouteRule {
  name?: string
  matches?: GRPCRouteMatch[]
  filters?: RouteFilter[]
  backendRefs?: RouteBackendReference[]
}

export interface GRPCRoute extends KubeObject {
  kind: 'GRPCRoute'
  spec: RouteSpec & { rules?: GRPCRouteRule[] }
  status?: RouteStatus
}

export interface TLSRoute extends KubeObject {
  kind: 'TLSRoute'
  spec: RouteSpec & { rules?: { name?: string; backendRefs?: RouteBackendReference[] }[] }
  status?: RouteStatus
}

export interface ReferenceGrant extends KubeObject {
  kind: 'ReferenceGrant'
  spec: {
    from: { group: string; kind: string; namespace: string }[]
    to: { group: string; kind: string; name?: string }[]
  }
}

/** All kinds of routes that a Gateway supports here. */
export type GatewayRoute = HTTPRoute | GRPCRoute | TLSRoute
