import type { Listener, Route, VirtualHost, WeightedBackend } from '../model.js'
import { escapePattern, pathPattern } from '../pathPattern.js'
import type { ProxySettings } from '../proxySettings.js'
import { hostsOf } from '../hostOrder.js'
import { conditions } from './conditions.js'
import type { Definitions } from './definitions.js'
import { directive, type Directive } from './directive.js'
import { mirrorPrefix } from './forward.js'
import { routeLocations } from './locations.js'

/** What servers are made with: names already given, and where things are. */
export interface ServerContext {
  readonly define: Definitions
  readonly settings: ProxySettings
  /** The next number of a route in this file. */
  readonly nextRoute: () => number
  /** The file of a certificate by its id, or of the default one; undefined where there is neither. */
  readonly certificate: (id: string | undefined) => string | undefined
}

/** The servers of all HTTP or HTTPS listeners of one port, the default server among them. */
export function portServers(listeners: readonly Listener[], context: ServerContext): Directive[] {
  const [first] = listeners
  if (first === undefined) return []
  const hosts = hostsOf(listeners)
  const bindings = listenDirectives(first, isForGrpcAlone(hosts), context.settings)
  const others = hosts.some(({ hostname }) => hostname === '*')
    ? []
    : [unknownHosts(first, bindings, context)]
  return [...others, ...hosts.map((host) => server(host, first, bindings, context))]
}

/** nginx before 1.25 speaks either HTTP/1.1 or HTTP/2 on a port without TLS: gRPC has one for itself. */
export function isForGrpcAlone(hosts: readonly Pick<VirtualHost, 'routes'>[]): boolean {
  const backends = hosts.flatMap(({ routes }) => routes).flatMap(backendsOf)
  return backends.length > 0 && backends.every(isGrpc)
}

/** The backends that a route passes requests on to. */
export function backendsOf({ action }: Route): readonly WeightedBackend[] {
  return action.kind === 'forward' ? action.backends : []
}

/** Whether a backend is for gRPC. */
export function isGrpc({ protocol }: WeightedBackend): boolean {
  return protocol === 'GRPC' || protocol === 'GRPCS'
}

function listenDirectives(
  { port, protocol, proxyProtocol }: Listener,
  http2Only: boolean,
  { families }: ProxySettings,
): readonly string[][] {
  const options = [
    ...(protocol === 'HTTPS' ? ['ssl', 'http2'] : http2Only ? ['http2'] : []),
    ...(proxyProtocol ? ['proxy_protocol'] : []),
  ]
  return families.map((family) =>
    family === 'IPv4' ? [String(port), ...options] : [`[::]:${port}`, 'ipv6only=on', ...options],
  )
}

/** Where no host is for everything, what names none of the hosts is told so. */
function unknownHosts(
  { protocol, proxyProtocol }: Listener,
  bindings: readonly string[][],
  context: ServerContext,
): Directive {
  return directive(
    'server',
    [],
    [
      ...listen(bindings, true),
      directive('server_name', ['_']),
      ...(protocol === 'HTTPS' ? tls(undefined, context) : []),
      ...realAddress(proxyProtocol),
      directive('location', ['/'], [directive('return', [404])]),
    ],
  )
}

function server(
  host: VirtualHost,
  { protocol, proxyProtocol }: Listener,
  bindings: readonly string[][],
  context: ServerContext,
): Directive {
  const numbered = host.routes.map((route) => ({ route, number: context.nextRoute() }))
  const located = numbered.map(({ route, number }) => ({
    route,
    ...routeLocations(route, number, context.define),
  }))
  return directive(
    'server',
    [],
    [
      ...listen(bindings, host.hostname === '*'),
      directive('server_name', [serverName(host)]),
      ...(protocol === 'HTTPS' ? tls(host.certificate, context) : []),
      ...realAddress(proxyProtocol),
      // copies come by here, too, and know where to go
      ...(host.routes.some(({ mirror }) => mirror !== undefined)
        ? [directive('if', ['($uri', '~', `^${mirrorPrefix})`], [directive('break')])]
        : []),
      directive('set', ['$path', '$uri']),
      directive('rewrite', ['^', routeVariable(located, context.define), 'last']),
      ...located.flatMap(({ locations }) => locations),
      directive('location', ['/'], [directive('return', [404])]),
    ],
  )
}

/**
 * The location of the first route that a request matches: one map, tried from top to bottom, over what is known of the
 * request: whether each condition of this host holds, and the path.
 */
function routeVariable(
  routes: readonly { readonly route: Route; readonly target: string }[],
  define: Definitions,
): string {
  const asked = routes.map(({ route }) => conditions(route, define))
  const flags = [...new Set(asked.flat())]
  const lines = routes.map(({ route, target }, index) => {
    const wanted = flags.map((flag) => (asked[index]?.includes(flag) === true ? '1' : '.')).join('')
    return directive(`~^${wanted === '' ? '' : `${wanted} `}${pathPattern(route.path)}`, [target])
  })
  const source = flags.length === 0 ? '$uri' : `${flags.map((flag) => `\${${flag.slice(1)}}`).join('')} $uri`
  return define.variable('map', 'route', source, [directive('default', ['/none']), ...lines])
}

function listen(bindings: readonly string[][], isDefault: boolean): Directive[] {
  return bindings.map(([address = '', ...options]) =>
    // what holds for the port is said once
    directive('listen', isDefault ? [address, 'default_server', ...options] : [address]),
  )
}

/** nginx's own wildcards come before its regular expressions: only as those do they keep the order that they are in. */
function serverName({ hostname, wildcard }: VirtualHost): string {
  if (hostname === '*') return '_'
  if (!hostname.startsWith('*.')) return hostname
  return `~^${wildcard === 'one-label' ? '[^.]+' : '.+'}${escapePattern(hostname.slice(1))}$`
}

function tls(id: string | undefined, { certificate }: ServerContext): Directive[] {
  const file = certificate(id)
  if (file === undefined) return [directive('ssl_reject_handshake', ['on'])]
  return [directive('ssl_certificate', [file]), directive('ssl_certificate_key', [file])]
}

/** The client's address as a load balancer told it; only what speaks the PROXY protocol gets this far. */
function realAddress(proxyProtocol: boolean): Directive[] {
  if (!proxyProtocol) return []
  return [
    directive('real_ip_header', ['proxy_protocol']),
    ...['0.0.0.0/0', '::/0', 'unix:'].map((from) => directive('set_real_ip_from', [from])),
  ]
}
