import type { Cluster, IngressBackend } from '../../cluster/types.js'
import type { Forward, Match, Rewrite, Route, WeightedBackend } from '../model.js'
import { warning, type Finding } from '../objects/finding.js'
import { serviceBackend } from '../objects/serviceBackend.js'
import type { Canary, Settings } from './annotations.js'
import type { HostPath, Source } from './sources.js'

/** Routes, and findings about their Ingresses. */
export interface FoundRoutes {
  readonly routes: readonly Route[]
  readonly findings: readonly Finding[]
}

/** The routes of one path; with a canary several, those with a header or a cookie first. */
export function routesOfPath(cluster: Cluster, hostPath: HostPath): FoundRoutes {
  const { source, id, path, canary } = hostPath
  const findings: Finding[] = []
  const main = backendOf(cluster, source, hostPath.backend, findings)
  const common: Omit<Route, 'action'> = {
    id,
    path,
    headers: [],
    query: [],
    ...routeSettings(source.settings, path.type === 'RegularExpression'),
  }
  const route = (backends: readonly WeightedBackend[], headers: readonly Match[] = []): Route => ({
    ...common,
    headers,
    action: forward(backends, source.settings),
  })
  const settings = canary?.source.settings.canary
  if (canary === undefined || settings === undefined) return { findings, routes: [route([main])] }
  const other = backendOf(cluster, canary.source, canary.backend, findings)
  const { weight, total } = settings
  const shared = [
    { ...main, weight: total - weight },
    { ...other, weight },
  ].filter((backend) => backend.weight > 0)
  return {
    findings,
    routes: [
      ...canaryMatches(settings).map(({ match, toCanary }) => route([toCanary ? other : main], [match])),
      route(shared),
    ],
  }
}

/** The route for requests that match no path of a host. */
export function defaultRoute(cluster: Cluster, source: Source, backend: IngressBackend): FoundRoutes {
  const findings: Finding[] = []
  const action = forward([backendOf(cluster, source, backend, findings)], source.settings)
  const { name, namespace = 'default' } = source.ingress.metadata
  const route: Route = {
    id: `Ingress/${namespace}/${name}/default`,
    path: { type: 'Prefix', value: '/' },
    headers: [],
    query: [],
    action,
    ...routeSettings({ ...source.settings, rewriteTarget: '' }, false),
  }
  return { routes: [route], findings }
}

function routeSettings(settings: Settings, isPattern: boolean): Partial<Route> {
  const { rewriteTarget = '', allowFrom, maxBodyBytes, backendTimeoutMs } = settings
  return {
    ...(rewriteTarget === '' ? {} : { rewrite: rewriteOf(rewriteTarget, isPattern) }),
    ...(allowFrom === undefined ? {} : { allowFrom }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    ...(backendTimeoutMs === undefined ? {} : { timeouts: { backendRequestMs: backendTimeoutMs } }),
  }
}

function rewriteOf(target: string, isPattern: boolean): Rewrite {
  return { path: { type: isPattern ? 'Regex' : 'Full', value: target } }
}

function forward(backends: readonly WeightedBackend[], { affinityCookie }: Settings): Forward {
  return {
    kind: 'forward',
    backends,
    ...(affinityCookie === undefined ? {} : { affinity: { cookie: affinityCookie } }),
  }
}

/** The conditions that select or exclude the canary, in order of evaluation. */
function canaryMatches(canary: Canary): { match: Match; toCanary: boolean }[] {
  const { header, headerValue, headerPattern, cookie } = canary
  const byHeader = (type: Match['type'], value: string, toCanary = true) =>
    header === undefined ? [] : [{ match: { name: header, type, value }, toCanary }]
  const byCookie = (value: string, toCanary: boolean) =>
    cookie === undefined
      ? []
      : [
          {
            match: {
              name: 'Cookie',
              type: 'RegularExpression' as const,
              value: `(?:.*;\\s*)?${cookie}=${value}(?:;.*)?`,
            },
            toCanary,
          },
        ]
  const headers =
    headerValue !== undefined
      ? byHeader('Exact', headerValue)
      : headerPattern !== undefined
        ? byHeader('RegularExpression', `.*(?:${headerPattern}).*`)
        : [...byHeader('Exact', 'always'), ...byHeader('Exact', 'never', false)]
  return [...headers, ...byCookie('always', true), ...byCookie('never', false)]
}

/** A backend with its endpoints; without endpoints the response is 503. */
function backendOf(
  cluster: Cluster,
  { ingress, namespace, settings }: Source,
  { service }: IngressBackend,
  findings: Finding[],
): WeightedBackend {
  const protocol = settings.protocol ?? 'HTTP'
  if (service === undefined) {
    findings.push(warning(ingress, 'BackendNotServed', 'a backend with a resource is not supported'))
    return { name: `${namespace}/none`, weight: 1, protocol, endpoints: [] }
  }
  const { name, port } = service
  const wanted = port.name !== undefined && port.name !== '' ? port.name : port.number
  const found = serviceBackend(cluster, { namespace, name, port: wanted }, settings.throughService)
  if (found.problem !== undefined) findings.push(warning(ingress, 'BackendNotFound', found.problem))
  return { name: `${namespace}/${name}:${wanted ?? ''}`, weight: 1, protocol, endpoints: found.endpoints }
}
