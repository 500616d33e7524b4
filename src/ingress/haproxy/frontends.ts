import type { Listener, Route, VirtualHost } from '../model.js'
import { hostsOf } from '../hostOrder.js'
import type { ProxySettings } from '../proxySettings.js'
import { chosenBackends, lots } from './chosen.js'
import { acls, type Acls } from './conditions.js'
import { hostCondition } from './hostCondition.js'
import { misdirectedLines } from './misdirected.js'
import type { Line, Section } from './section.js'

/** What frontends are made with. */
export interface FrontendContext {
  readonly settings: Pick<ProxySettings, 'families'>
  /** The same for the same route, also on another port. */
  readonly routeNumber: (route: Route) => number
  /** Words of a `bind` line that have it end TLS with the certificates of these hosts; undefined: there are none. */
  readonly tls: (hosts: readonly VirtualHost[], port: number) => readonly string[] | undefined
}

/** What answers where no route matches. */
export const noRoute: Section = {
  head: ['backend', 'no_route'],
  lines: [['http-request', 'return', 'status', 404]],
}

/** The frontend of all HTTP or HTTPS listeners of a port, and the backends that its routes lead to. */
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
        ...(chosen.some(({ drawn }) => drawn)
          ? [['http-request', 'set-var(txn.draw)', `rand(${lots})`]]
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

/** `bind` lines for a port, one an address family. */
export function bindLines({ port, proxyProtocol }: Listener, { settings }: FrontendContext): string[][] {
  const options = proxyProtocol ? ['accept-proxy'] : []
  return settings.families.map((family) =>
    family === 'IPv4'
      ? ['bind', `0.0.0.0:${port}`, ...options]
      : ['bind', `[::]:${port}`, 'v6only', ...options],
  )
}

/** Without any certificate TLS cannot be ended. */
function closed(port: number, binds: readonly Line[]): Section {
  return {
    head: ['frontend', `closed_${port}`],
    lines: [['mode', 'tcp'], ...binds, ['tcp-request', 'connection', 'reject']],
  }
}

/** What is known of every request, and what every backend is told of it. */
function prepare(protocol: Listener['protocol']): Line[] {
  const tell = (name: string, value: string) => ['http-request', 'set-header', name, value]
  const note = (name: string, value: string) => ['http-request', `set-var(txn.${name})`, value]
  return [
    note('host', 'req.hdr(host),host_only,lower'),
    note('authority', 'req.hdr(host)'),
    note('path', 'path,url_dec'),
    note('uri', 'pathq'),
    [...tell('X-Request-ID', '%[uuid()]'), 'unless', '{', 'req.hdr(X-Request-ID),length', 'gt', 0, '}'],
    note('id', 'req.hdr(X-Request-ID)'),
    tell('X-Real-IP', '%[src]'),
    // as a client could claim anything, what it says of the way before is not passed on
    tell('X-Forwarded-For', '%[src]'),
    tell('X-Forwarded-Host', '%[req.hdr(host)]'),
    tell('X-Forwarded-Port', '%[dst_port]'),
    tell('X-Forwarded-Proto', protocol === 'HTTPS' ? 'https' : 'http'),
  ]
}

/** Gives a request its host, the first that matches. */
function siteLine({ hostname, wildcard }: VirtualHost, index: number, names: Acls): Line {
  const set = ['http-request', 'set-var(txn.site)', `int(${index})`]
  const unless = ['!{', 'var(txn.site)', '-m', 'found', '}']
  return hostname === '*'
    ? [...set, 'if', ...unless]
    : [...set, 'if', ...unless, names.name([['var(txn.host)', ...hostCondition(hostname, wildcard)]])]
}
