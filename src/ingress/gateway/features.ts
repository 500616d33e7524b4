/** The proxies whose features are known. */
export type KnownProxy = 'nginx' | 'haproxy'

/** Features of both proxies, verified by the tests in test/gateway-coverage.md. */
const common = [
  ...[
    'GRPCRoute',
    'GRPCRouteNamedRouteRule',
    'Gateway',
    'GatewayAddressEmpty',
    'GatewayHTTPListenerIsolation',
  ],
  ...['GatewayHTTPSListenerDetectMisdirectedRequests', 'GatewayPort8080'],
  'ListenerSet',
  ...['HTTPRoute', 'HTTPRoute303RedirectStatusCode', 'HTTPRoute307RedirectStatusCode'],
  ...['HTTPRoute308RedirectStatusCode', 'HTTPRouteBackendProtocolH2C', 'HTTPRouteBackendProtocolWebSocket'],
  ...['HTTPRouteBackendRequestHeaderModification', 'HTTPRouteBackendTimeout', 'HTTPRouteHostRewrite'],
  ...[
    'HTTPRouteMethodMatching',
    'HTTPRouteNamedRouteRule',
    'HTTPRouteParentRefPort',
    'HTTPRoutePathRedirect',
  ],
  ...['HTTPRoutePathRewrite', 'HTTPRoutePortRedirect', 'HTTPRouteQueryParamMatching'],
  ...['HTTPRouteRequestTimeout', 'HTTPRouteResponseHeaderModification', 'HTTPRouteSchemeRedirect'],
  'ReferenceGrant',
]

const own: Readonly<Record<KnownProxy, readonly string[]>> = {
  nginx: ['HTTPRouteRequestMirror', 'HTTPRouteRequestMultipleMirrors'],
  // nginx passes TLS through only on ports without HTTPS, and 443 has HTTPS
  haproxy: ['TLSRoute'],
}

/** Names of features from the Gateway API (pkg/features), sorted as required; empty for an unknown proxy. */
export function featuresOf(proxy: KnownProxy | undefined): { name: string }[] {
  if (proxy === undefined) return []
  return [...common, ...own[proxy]].sort().map((name) => ({ name }))
}
