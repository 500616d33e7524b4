import type { Listener, Route, VirtualHost, WeightedBackend } from '../model.js'
import { escapePattern, pathPattern } from '../pathPattern.js'
import type { ProxySettings } from '../proxySettings.js'
import { byPort, compareHosts, hostsOf } from '../hostOrder.js'
import { conditions } from './conditions.js'
import type { Definitions } from './definitions.js'
import { directive, type Directive } from './directive.js'
import { mirrorPrefix } from './forward.js'
import { onlyBlock, routeLocations } from './locations.js'
import { listenerNames } from '../misdirection.js'

/** Context to create servers: definitions, settings, route numbers and certificate files. */
export interface ServerContext {
  readonly define: Definitions
  readonly settings: ProxySettings
  /** The next number of a route in this file. */
  readonly nextRoute: () => number
  /** The file of a certificate by its ID, or of the default one; undefined if there is neither. */
  readonly certificate: (id: string | undefined) => string | undefined
}

/** A host of one port or several; the host of a port's default server is `*`. */
interface Site {
  readonly host: VirtualHost
  readonly bindings: readonly string[][]
  readonly proxyProtocol: boolean
  /** The TLS directives that differ from the port's default server; undefined if the port has no TLS. */
  readonly tls: readonly Directive[] | undefined
}

/**
 * The servers of all HTTP and HTTPS listeners, with a default server for each port. A host that is the same on several
 * ports is one server: with many hosts, parsing servers takes most of the time of a change.
 */
export function httpServers(listeners: readonly Listener[], context: ServerContext): Directive[] {
  const sites = new Map<string, Site[]>()
  for (const site of byPort(listeners).flatMap((port) => sitesOf(port, context))) {
    const key = JSON.stringify([serverName(site.host), site.host.routes, site.proxyProtocol])
    sites.set(key, withSite(sites.get(key) ?? [], site))
  }
  return [...sites.values()]
    .flat()
    .sort((a, b) => compareHosts(a.host, b.host))
    .map((site) => server(site, context))
}

/** Adds a site to sites that differ only in TLS; a server has one TLS configuration. */
function withSite(known: readonly Site[], { tls, ...site }: Site): Site[] {
  const same = known.find(
    (one) => one.tls === undefined || tls === undefined || JSON.stringify(one.tls) === JSON.stringify(tls),
  )
  return [
    ...known.filter((one) => one !== same),
    { ...site, tls: same?.tls ?? tls, bindings: [...(same?.bindings ?? []), ...site.bindings] },
  ]
}

function sitesOf(listeners: readonly Listener[], context: ServerContext): Site[] {
  const [first] = listeners
  if (first === undefined) return []
  const { protocol, proxyProtocol } = first
  const hosts = hostsOf(listeners)
  const bindings = listenDirectives(first, isGrpcOnly(hosts), context.settings)
  const unknown: VirtualHost = { hostname: '*', wildcard: 'suffix', routes: [] }
  const all = hosts.some(({ hostname }) => hostname === '*') ? hosts : [...hosts, unknown]
  const shown = context.certificate(all.find(({ hostname }) => hostname === '*')?.certificate)
  return all.map((host) => {
    const isDefault = host.hostname === '*'
    const file = context.certificate(host.certificate)
    return {
      ...{ host, proxyProtocol },
      // options of the port are set only once
      bindings: bindings.map(([address = '', ...options]) =>
        isDefault ? [address, 'default_server', ...options] : [address],
      ),
      tls:
        protocol !== 'HTTPS'
          ? undefined
          : [
              ...(isDefault || shown === undefined || file !== shown ? certificate(file) : []),
              ...misdirected(host, all, context.define),
            ],
    }
  })
}

/** nginx before 1.25 supports either HTTP/1.1 or HTTP/2 on a port without TLS: gRPC needs a separate port. */
export function isGrpcOnly(hosts: readonly Pick<VirtualHost, 'routes'>[]): boolean {
  const backends = hosts.flatMap(({ routes }) => routes).flatMap(backendsOf)
  return backends.length > 0 && backends.every(isGrpc)
}

/** The backends that a route forwards requests to. */
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

function server({ host, bindings, proxyProtocol, tls }: Site, context: ServerContext): Directive {
  return directive(
    'server',
    [],
    [
      ...bindings.map((binding) => directive('listen', binding)),
      directive('server_name', [serverName(host)]),
      ...(tls ?? []),
      ...realAddress(proxyProtocol),
      ...(byPath(host, context.define) ?? byTarget(host, context)),
      directive('location', ['/'], [directive('return', [404])]),
    ],
  )
}

/**
 * Regular expression locations in order, for a host whose routes match only paths and need one location each, so that no
 * rewrite is needed to select one. Undefined for other hosts.
 */
function byPath({ routes }: VirtualHost, define: Definitions): Directive[] | undefined {
  const locations = routes.map((route) => {
    const block = conditions(route, define).length > 0 ? undefined : onlyBlock(route, 'own', define)
    return block && directive('location', ['~', `^${pathPattern(route.path)}`], block)
  })
  return locations.includes(undefined) ? undefined : locations.filter((one) => one !== undefined)
}

/** Rewrites every request to the location of the first route that matches. */
function byTarget({ routes }: VirtualHost, { define, nextRoute }: ServerContext): Directive[] {
  const located = routes.map((route) => ({ route, ...routeLocations(route, nextRoute(), define) }))
  return [
    // mirrored requests already have a target
    ...(routes.some(({ mirror }) => mirror !== undefined)
      ? [directive('if', ['($uri', '~', `^${mirrorPrefix})`], [directive('break')])]
      : []),
    directive('set', ['$path', '$uri']),
    directive('rewrite', ['^', routeVariable(located, define), 'last']),
    ...located.flatMap(({ locations }) => locations),
  ]
}

/**
 * The location of the first route that matches: one map, evaluated in order, of the results of all conditions of this
 * host and the path.
 */
function routeVariable(
  routes: readonly { readonly route: Route; readonly target: string }[],
  define: Definitions,
): string {
  const wanted = routes.map(({ route }) => conditions(route, define))
  const flags = [...new Set(wanted.flat())]
  const lines = routes.map(({ route, target }, index) => {
    const prefix = flags.map((flag) => (wanted[index]?.includes(flag) === true ? '1' : '.')).join('')
    return directive(`~^${prefix === '' ? '' : `${prefix} `}${pathPattern(route.path)}`, [target])
  })
  const source = flags.length === 0 ? '$uri' : `${flags.map((flag) => `\${${flag.slice(1)}}`).join('')} $uri`
  return define.variable('map', 'route', source, [directive('default', ['/none']), ...lines])
}

/** Wildcards are written as regular expressions, because nginx evaluates only those in their order. */
function serverName({ hostname, wildcard }: VirtualHost): string {
  if (hostname === '*') return '_'
  if (!hostname.startsWith('*.')) return hostname
  return `~^${wildcard === 'one-label' ? '[^.]+' : '.+'}${escapePattern(hostname.slice(1))}$`
}

function certificate(file: string | undefined): Directive[] {
  if (file === undefined) return [directive('ssl_reject_handshake', ['on'])]
  return [directive('ssl_certificate', [file]), directive('ssl_certificate_key', [file])]
}

/** The client's address from the PROXY protocol header; other connections have been rejected before. */
function realAddress(proxyProtocol: boolean): Directive[] {
  if (!proxyProtocol) return []
  return [
    directive('real_ip_header', ['proxy_protocol']),
    ...['0.0.0.0/0', '::/0', 'unix:'].map((from) => directive('set_real_ip_from', [from])),
  ]
}

/** The directives that answer 421 to requests on connections with the SNI of another listener. */
function misdirected(
  { listener }: VirtualHost,
  hosts: readonly VirtualHost[],
  define: Definitions,
): Directive[] {
  const names = listenerNames(hosts)
  if (listener === undefined || names.length === 0) return []
  const verdict = (name: string | undefined) => (name === listener ? 0 : 1)
  const variable = define.variable('map', 'misdirected', '$ssl_server_name', [
    directive('default', [verdict(names.find((name) => name === '*'))]),
    // connections without SNI are accepted
    directive('', [0]),
    ...names
      .filter((name) => name !== '*')
      .map((name) => directive(`~*^${namePattern(name)}\\z`, [verdict(name)])),
  ])
  return [directive('if', [`(${variable})`], [directive('return', [421])])]
}

function namePattern(name: string): string {
  return name.startsWith('*.') ? `.+${escapePattern(name.slice(1))}` : escapePattern(name)
}
