import type {
  GatewayListener,
  GatewayRoute,
  GRPCRouteMatch,
  HTTPRouteMatch,
  NameValueMatch,
} from '../../cluster/types/gateway.js'
import type { PathModifier, RouteBackendReference, RouteFilter } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import { milliseconds } from '../../cluster/validation/gateway/route.js'
import type { Match, PathMatch, PathRewrite, Redirect, Route, WeightedBackend } from '../model.js'
import { backendOf, modifiersOf } from './backends.js'
import type { Fault } from './conditions.js'

/** A rule of any kind of route. */
export interface Rule {
  readonly filters?: readonly RouteFilter[]
  readonly matches?: readonly (HTTPRouteMatch | GRPCRouteMatch)[]
  readonly backendRefs?: readonly RouteBackendReference[]
  readonly timeouts?: { readonly request?: string; readonly backendRequest?: string }
}

/** The unsorted routes of an HTTPRoute or GRPCRoute, and the faults of its references. */
export function routesOf(
  cluster: Cluster,
  route: GatewayRoute,
  listener: Pick<GatewayListener, 'port' | 'protocol'>,
): { readonly routes: readonly Route[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const resolve = (ref: RouteBackendReference): WeightedBackend => {
    const { backend, fault } = backendOf(cluster, route, ref)
    if (fault !== undefined) faults.push(fault)
    return backend
  }
  const { namespace = 'default', name } = route.metadata
  const rules: readonly Rule[] = route.spec.rules ?? []
  const routes = rules.flatMap(({ filters = [], matches: given = [], timeouts, ...rule }, index) => {
    const matches = given.length > 0 ? given : [{}]
    const mirrors = filters.flatMap(({ requestMirror }) =>
      requestMirror === undefined ? [] : [resolve(requestMirror.backendRef)],
    )
    const rewrite = filters.find(({ urlRewrite }) => urlRewrite !== undefined)?.urlRewrite
    const [requestMs, backendRequestMs] = [timeouts?.request, timeouts?.backendRequest].map(milliseconds)
    const common = {
      id: `${route.kind}/${namespace}/${name}/${index}`,
      action: redirectOf(filters, listener) ?? forward((rule.backendRefs ?? []).map(resolve)),
      ...modifiersOf(filters),
      ...(mirrors.length === 0 ? {} : { mirror: mirrors }),
      ...(rewrite === undefined
        ? {}
        : { rewrite: { hostname: rewrite.hostname, path: pathRewrite(rewrite.path) } }),
      // 0 means no limit
      ...((requestMs ?? 0) === 0 && (backendRequestMs ?? 0) === 0
        ? {}
        : {
            timeouts: {
              ...((requestMs ?? 0) === 0 ? {} : { requestMs: requestMs ?? 0 }),
              ...((backendRequestMs ?? 0) === 0 ? {} : { backendRequestMs: backendRequestMs ?? 0 }),
            },
          }),
    }
    return matches.map((match): Route => ({ ...common, ...conditionsOf(match) }))
  })
  return { routes, faults }
}

function forward(all: readonly WeightedBackend[]): Route['action'] {
  const backends = all.filter(({ weight }) => weight > 0)
  return backends.length === 0 ? { kind: 'respond', status: 500 } : { kind: 'forward', backends }
}

/** By default a redirect keeps the listener's scheme and port; another scheme implies its default port. */
function redirectOf(
  filters: readonly RouteFilter[],
  listener: Pick<GatewayListener, 'port' | 'protocol'>,
): Redirect | undefined {
  const given = filters.find(({ requestRedirect }) => requestRedirect !== undefined)?.requestRedirect
  if (given === undefined) return undefined
  const { scheme, hostname, port, statusCode = 302, path } = given
  return {
    kind: 'redirect',
    scheme: scheme ?? (listener.protocol === 'HTTPS' ? 'https' : 'http'),
    hostname,
    port: port ?? (scheme === undefined ? listener.port : undefined),
    path: pathRewrite(path),
    status: statusCode,
  }
}

function pathRewrite(path: PathModifier | undefined): PathRewrite | undefined {
  if (path === undefined) return undefined
  return path.type === 'ReplaceFullPath'
    ? { type: 'Full', value: path.replaceFullPath ?? '/' }
    : { type: 'Prefix', value: path.replacePrefixMatch ?? '/' }
}

function conditionsOf(
  match: HTTPRouteMatch | GRPCRouteMatch,
): Pick<Route, 'path' | 'method' | 'headers' | 'query'> {
  const http = match as HTTPRouteMatch
  return {
    path: typeof match.method === 'object' ? grpcPath(match.method) : httpPath(http),
    method: typeof match.method === 'string' ? match.method : undefined,
    headers: firstOfEach(match.headers, (name) => name.toLowerCase()),
    query: firstOfEach(http.queryParams, (name) => name),
  }
}

/** Of several matches with one name only the first is used. */
function firstOfEach(matches: readonly NameValueMatch[] = [], key: (name: string) => string): Match[] {
  const found = new Map<string, Match>()
  for (const { name, type = 'Exact', value } of matches)
    if (!found.has(key(name))) found.set(key(name), { name, type, value })
  return [...found.values()]
}

function httpPath({ path: { type = 'PathPrefix', value = '/' } = {} }: HTTPRouteMatch): PathMatch {
  return { type: type === 'PathPrefix' ? 'Prefix' : type, value }
}

/** The path of a gRPC method: `/package.Service/Method`. */
function grpcPath({ type = 'Exact', service, method }: NonNullable<GRPCRouteMatch['method']>): PathMatch {
  if (type === 'RegularExpression')
    return { type, value: `/(?:${service ?? '[^/]+'})/(?:${method ?? '[^/]+'})` }
  if (service === undefined) return { type: 'RegularExpression', value: `/[^/]+/${method ?? '[^/]+'}` }
  return method === undefined
    ? { type: 'Prefix', value: `/${service}` }
    : { type: 'Exact', value: `/${service}/${method}` }
}

/** Sorts routes of one host name: Exact, then expressions, then the longest prefix; method; most headers; most parameters. */
export function byPrecedence(a: Route, b: Route): number {
  const rank = { Exact: 0, RegularExpression: 1, Prefix: 2 } as const
  const byMethod = Number(b.method !== undefined) - Number(a.method !== undefined)
  return (
    rank[a.path.type] - rank[b.path.type] ||
    b.path.value.length - a.path.value.length ||
    byMethod ||
    b.headers.length - a.headers.length ||
    b.query.length - a.query.length
  )
}
