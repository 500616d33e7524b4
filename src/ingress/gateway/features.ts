/** The proxies whose abilities are known. */
export type KnownProxy = 'nginx' | 'haproxy'

/** What both proxies do, as the tests named in docs/gateway-coverage.md show. */
const common = [
  ...[
    'GRPCRoute',
    'GRPCRouteNamedRouteRule',
    'Gateway',
    'GatewayAddressEmpty',
    'GatewayHTTPListenerIsolation',
  ],
  ...['GatewayHTTPSListenerDetectMisdirectedRequests', 'GatewayPort8080'],
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
  // nginx passes TLS through on ports that are for TLS alone, which 443 is not
  haproxy: ['TLSRoute'],
}

/** Names of features in the Gateway API's own list (pkg/features), sorted as it asks for; none of a proxy that nobody has tried. */
export function featuresOf(proxy: KnownProxy | undefined): { name: string }[] {
  if (proxy === undefined) return []
  return [...common, ...own[proxy]].sort().map((name) => ({ name }))
}
