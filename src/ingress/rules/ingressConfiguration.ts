import type { Cluster, Ingress } from '../../cluster/types.js'
import type { ProxyConfiguration, Redirect, Route, VirtualHost } from '../model.js'
import { once, type Finding } from '../objects/finding.js'
import { tlsSecret, type SecretReader } from '../objects/tlsSecret.js'
import { certificatesOf } from './certificates.js'
import { ingressesOf } from './classes.js'
import { defaultRoute, routesOfPath } from './routes.js'
import { hostsOfSources, sourcesOf, withDefault, type Host, type Source } from './sources.js'

/** An ingress controller: the classes and annotations that it handles, and the ports of its proxy. */
export interface IngressController {
  /** `spec.controller` of the IngressClasses that it serves. */
  readonly controller: string
  /** Prefixes of the annotations that it reads, in order of precedence. */
  readonly prefixes: readonly string[]
  readonly ports: { readonly http: number; readonly https: number }
  readonly proxyProtocol: boolean
  /** A reader with a cache, for repeated calls. */
  readonly readSecret?: SecretReader | undefined
}

/** The effective configuration of the Ingresses of a controller. */
export interface IngressConfiguration {
  readonly configuration: ProxyConfiguration
  /** The Ingresses of its classes. */
  readonly served: readonly Ingress[]
  readonly findings: readonly Finding[]
}

/**
 * The configuration of a controller's proxy: every host on http, and on https with its certificate or the proxy's own. A
 * host with TLS is redirected to https by default.
 */
export function ingressConfiguration(cluster: Cluster, controller: IngressController): IngressConfiguration {
  const served = ingressesOf(cluster, controller.controller)
  const { sources, findings: unread } = sourcesOf(served, controller.prefixes)
  const { hosts: ruled, findings: taken } = hostsOfSources(sources)
  const rest = withDefault(sources)
  const hosts = withRestHost(ruled, rest.sources)
  const tls = certificatesOf(cluster, hosts, controller.readSecret ?? tlsSecret)
  const findings: Finding[] = [...unread, ...taken, ...rest.findings, ...tls.findings]
  const plain: VirtualHost[] = []
  const secure: VirtualHost[] = []
  for (const host of hosts) {
    const { routes, owners, findings: found } = routesOfHost(cluster, host, rest.sources)
    findings.push(...found)
    const { hostname } = host
    const common = { hostname, wildcard: 'one-label' as const }
    const hasTls = tls.ofHost.has(hostname)
    secure.push({ ...common, certificate: tls.ofHost.get(hostname), routes })
    plain.push({
      ...common,
      routes: routes.map((route) => (redirects(owners.get(route), hasTls) ? toHttps(route) : route)),
    })
  }
  const { ports, proxyProtocol } = controller
  return {
    served,
    findings: once(findings),
    configuration: {
      certificates: tls.certificates,
      listeners: [
        { port: ports.http, protocol: 'HTTP', proxyProtocol, hosts: plain },
        { port: ports.https, protocol: 'HTTPS', proxyProtocol, hosts: secure },
      ],
    },
  }
}

/** Adds the host for all other names if an Ingress has a default backend. */
function withRestHost(hosts: readonly Host[], owners: readonly Source[]): readonly Host[] {
  const isThere = hosts.some(({ hostname }) => hostname === '*')
  return isThere || owners.length === 0 ? hosts : [...hosts, { hostname: '*', sources: owners, paths: [] }]
}

interface HostRoutes {
  readonly routes: readonly Route[]
  readonly owners: ReadonlyMap<Route, Source>
  readonly findings: readonly Finding[]
}

function routesOfHost(cluster: Cluster, host: Host, defaults: readonly Source[]): HostRoutes {
  const owners = new Map<Route, Source>()
  const findings: Finding[] = []
  const add = (source: Source, routes: readonly Route[]) => {
    for (const route of routes) owners.set(route, source)
  }
  for (const source of host.sources) add(source, rootRedirect(source, host))
  for (const path of host.paths) {
    const found = routesOfPath(cluster, path)
    findings.push(...found.findings)
    add(path.source, found.routes)
  }
  const [any] = defaults
  const rest = defaults.find((source) => host.sources.includes(source)) ?? any
  if (rest?.ingress.spec.defaultBackend !== undefined) {
    const found = defaultRoute(cluster, rest, rest.ingress.spec.defaultBackend)
    findings.push(...found.findings)
    add(rest, found.routes)
  }
  return { routes: [...owners.keys()], owners, findings }
}

/** `app-root`: the target of a redirect from /. */
function rootRedirect({ settings: { appRoot }, ingress, namespace }: Source, { paths }: Host): Route[] {
  const isTaken = paths.some(({ path }) => path.type === 'Exact' && path.value === '/')
  if (appRoot === undefined || isTaken) return []
  return [
    {
      id: `Ingress/${namespace}/${ingress.metadata.name}/root`,
      path: { type: 'Exact', value: '/' },
      headers: [],
      query: [],
      action: { kind: 'redirect', path: { type: 'Full', value: appRoot }, status: 302 },
    },
  ]
}

function redirects(source: Source | undefined, hasTls: boolean): boolean {
  const { sslRedirect = true, forceSslRedirect = false } = source?.settings ?? {}
  return forceSslRedirect || (hasTls && sslRedirect)
}

/** Redirects to the same URL with https; 308 preserves the method and the body. */
function toHttps({ id, path, headers, query, allowFrom }: Route): Route {
  const action: Redirect = { kind: 'redirect', scheme: 'https', status: 308 }
  return { id, path, headers, query, action, ...(allowFrom === undefined ? {} : { allowFrom }) }
}
