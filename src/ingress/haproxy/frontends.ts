import type { Listener, Route, VirtualHost } from '../model.js'
import { hostsOf } from '../hostOrder.js'
import type { ProxySettings } from '../proxySettings.js'
import { chosenBackends, randomRange } from './chosen.js'
import { acls, type Acls } from './conditions.js'
import { hostCondition } from './hostCondition.js'
import type { Line, Section } from './section.js'
import { listenerNames } from '../misdirection.js'

/** Context to create frontends. */
export interface FrontendContext {
  readonly settings: Pick<ProxySettings, 'families'>
  /** The number of a route, the same on all ports. */
  readonly routeNumber: (route: Route) => number
  /** The `bind` options that terminate TLS with the certificates of these hosts; undefined if there are none. */
  readonly tls: (hosts: readonly VirtualHost[], port: number) => readonly string[] | undefined
}

/** The backend for requests that match no route. */
export const noRoute: Section = {
  head: ['backend', 'no_route'],
  lines: [['http-request', 'return', 'status', 404]],
}

/** The frontend of all HTTP or HTTPS listeners of a port, and the backends of its routes. */
export function portSections(
  listeners: readonly Listener[],
  socket: string | undefined,
  context: FrontendContext,
): Section[] {
  const [first] = listeners
  if (first === undefined) return []
  const hosts = hostsOf(listeners)
  const { port, protocol } = first
  const tls = protocol === 'HTTPS' ? context.tls(hosts, port) : []
  const binds =
    socket === undefined ? bindLines(first, context) : [['bind', `unix@${socket}`, 'accept-proxy']]
  if (tls === undefined) return [closed(port, binds)]
  const names = acls()
  const chosen = hosts.map((host, index) =>
    chosenBackends(host, `{ var(txn.site) -m int ${index} }`, names, context.routeNumber),
  )
  const sites = hosts.map((host, index) => siteLine(host, index, names))
  return [
    {
      head: ['frontend', `${protocol.toLowerCase()}_${port}`],
      lines: [
        ...binds.map((bind) => [...bind, ...tls]),
        ...(chosen.some(({ needsRandom }) => needsRandom)
          ? [['http-request', 'set-var(txn.random)', `rand(${randomRange})`]]
          : []),
        ...prepare(protocol),
        ...names.lines(),
        ...sites,
        ...(protocol === 'HTTPS' ? misdirectedLines(hosts) : []),
        ...chosen.flatMap(({ lines }) => lines),
        ['default_backend', 'no_route'],
      ],
    },
    ...chosen.flatMap(({ backends }) => backends),
  ]
}

/** `bind` lines for a port, one per address family. */
export function bindLines({ port, proxyProtocol }: Listener, { settings }: FrontendContext): string[][] {
  const options = proxyProtocol ? ['accept-proxy'] : []
  return settings.families.map((family) =>
    family === 'IPv4'
      ? ['bind', `0.0.0.0:${port}`, ...options]
      : ['bind', `[::]:${port}`, 'v6only', ...options],
  )
}

/** Without a certificate TLS cannot be terminated: connections are rejected. */
function closed(port: number, binds: readonly Line[]): Section {
  return {
    head: ['frontend', `closed_${port}`],
    lines: [['mode', 'tcp'], ...binds, ['tcp-request', 'connection', 'reject']],
  }
}

/** The variables of every request, and the headers for every backend. */
function prepare(protocol: Listener['protocol']): Line[] {
  const header = (name: string, value: string) => ['http-request', 'set-header', name, value]
  const variable = (name: string, value: string) => ['http-request', `set-var(txn.${name})`, value]
  return [
    variable('host', 'req.hdr(host),host_only,lower'),
    variable('authority', 'req.hdr(host)'),
    variable('path', 'path,url_dec'),
    variable('uri', 'pathq'),
    [...header('X-Request-ID', '%[uuid()]'), 'unless', '{', 'req.hdr(X-Request-ID),length', 'gt', 0, '}'],
    variable('id', 'req.hdr(X-Request-ID)'),
    header('X-Real-IP', '%[src]'),
    // clients are not trusted: their own header is replaced
    header('X-Forwarded-For', '%[src]'),
    header('X-Forwarded-Host', '%[req.hdr(host)]'),
    header('X-Forwarded-Port', '%[dst_port]'),
    header('X-Forwarded-Proto', protocol === 'HTTPS' ? 'https' : 'http'),
  ]
}

/** Sets the host of a request, the first that matches. */
function siteLine({ hostname, wildcard }: VirtualHost, index: number, names: Acls): Line {
  const set = ['http-request', 'set-var(txn.site)', `int(${index})`]
  const unless = ['!{', 'var(txn.site)', '-m', 'found', '}']
  return hostname === '*'
    ? [...set, 'if', ...unless]
    : [...set, 'if', ...unless, names.name([['var(txn.host)', ...hostCondition(hostname, wildcard)]])]
}

/** The lines that answer 421 to requests on connections with the SNI of another listener. */
function misdirectedLines(hosts: readonly VirtualHost[]): Line[] {
  const names = listenerNames(hosts)
  if (names.length === 0) return []
  const braced = (...words: readonly string[]) => ['{', ...words, '}']
  const named = ['if', ...braced('ssl_fc_has_sni')]
  return [
    ...names.map((name, index) => [
      ...['http-request', 'set-var(txn.listener)', `int(${index})`, ...named],
      ...['!{', 'var(txn.listener)', '-m', 'found', '}'],
      ...(name === '*' ? [] : braced('ssl_fc_sni', ...hostCondition(name, 'suffix'))),
    ]),
    ...names.map((name, index) => {
      const own = hosts.flatMap(({ listener }, site) => (listener === name ? [String(site)] : []))
      return [
        ...['http-request', 'return', 'status', 421, ...named],
        ...braced('var(txn.site)', '-m', 'int', ...own),
        ...['!{', 'var(txn.listener)', '-m', 'int', String(index), '}'],
      ]
    }),
  ]
}
