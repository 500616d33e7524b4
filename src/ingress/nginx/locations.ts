import type { Forward, Route, WeightedBackend, Redirect } from '../model.js'
import { literal, directive, type Directive } from './directive.js'
import type { Definitions } from './definitions.js'
import { forwardDirectives, mirrorDirectives, type LocationUri } from './forward.js'
import { given, responseHeaders } from './headers.js'
import { sessionOf, type Session } from './session.js'
import { elementCount, withoutEndSlashes } from '../pathPattern.js'

/** The locations of a route, and the target to rewrite to; `$path` is the request's own path. */
export interface RouteLocations {
  readonly target: string
  readonly locations: readonly Directive[]
}

/** The locations for the requests of a route; one for each backend if there are several. */
export function routeLocations(route: Route, number: number, define: Definitions): RouteLocations {
  const stem = `/route/${number}`
  const { action } = route
  const only = onlyBlock(route, 'target', define)
  if (only !== undefined || action.kind !== 'forward')
    return { target: stem, locations: [location(stem, only ?? [])] }
  const { session, backends } = forwarding(action, define)
  const mirrors = mirrorDirectives(route, stem, define)
  const locations = backends.map((backend, index) =>
    location(`${stem}/${index}`, [
      ...common(route),
      ...mirrors.directives,
      ...forwardDirectives(route, backend, session, 'target', define),
    ]),
  )
  const share = backends.length === 1 ? '0' : split(backends, session, define)
  return { target: `${stem}/${share}`, locations: [...locations, ...mirrors.locations] }
}

/** The contents of a single location for a route; undefined if several are needed. */
export function onlyBlock(route: Route, uri: LocationUri, define: Definitions): Directive[] | undefined {
  const { action, mirror } = route
  if (action.kind !== 'forward') {
    const headers = responseHeaders(given(route.responseHeaders), 'proxy')
    const done =
      action.kind === 'redirect'
        ? redirectDirectives(action, route, define)
        : [directive('return', [action.status])]
    return [...common(route), ...headers, ...done]
  }
  const { session, backends } = forwarding(action, define)
  const [backend] = backends
  if (backend === undefined) {
    const unresolved = action.backends.find(({ unresolvedStatus }) => unresolvedStatus !== undefined)
    return [...common(route), directive('return', [unresolved?.unresolvedStatus ?? 503])]
  }
  return backends.length > 1 || mirror !== undefined
    ? undefined
    : [...common(route), ...forwardDirectives(route, backend, session, uri, define)]
}

/** The backends that get requests, and the session that keeps a client with one of them. */
function forwarding({ backends, affinity }: Forward, define: Definitions) {
  return {
    session: affinity === undefined ? undefined : sessionOf(affinity, define),
    backends: backends.filter(({ weight }) => weight > 0),
  }
}

/** The backend of a request; requests of one session always have the same. */
function split(
  backends: readonly WeightedBackend[],
  session: Session | undefined,
  define: Definitions,
): string {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0)
  const shares = backends.slice(0, -1).map(({ weight }, index) => {
    // nginx has a resolution of 0.01 %: every backend with a weight gets some requests
    const percent = Math.max(weight / total, 0.0001) * 100
    return directive(`${percent.toFixed(2)}%`, [index])
  })
  return define.variable('split_clients', 'share', session?.key ?? '$request_id', [
    ...shares,
    directive('*', [backends.length - 1]),
  ])
}

function location(path: string, block: readonly Directive[]): Directive {
  return directive('location', ['=', path], block)
}

/** The directives for every location of a route. */
function common({ id, allowFrom, maxBodyBytes }: Route): Directive[] {
  return [
    directive('set', ['$route', literal(id)]),
    ...(maxBodyBytes === undefined ? [] : [directive('client_max_body_size', [maxBodyBytes])]),
    ...(allowFrom === undefined
      ? []
      : [...allowFrom.map((from) => directive('allow', [from])), directive('deny', ['all'])]),
  ]
}

/** The directives of a redirect. Parts of the client's URI are kept without decoding. */
function redirectDirectives(redirect: Redirect, route: Route, define: Definitions): Directive[] {
  return [directive('return', [redirect.status, `${origin(redirect)}${target(redirect, route, define)}`])]
}

function origin({ scheme, hostname, port }: Redirect): string {
  const keepsPort = scheme === undefined && port === undefined && hostname === undefined
  if (keepsPort) return '$scheme://$forwarded_host'
  const usual = scheme === undefined ? undefined : { http: 80, https: 443 }[scheme]
  const suffix = port === undefined || port === usual ? '' : `:${port}`
  return `${scheme ?? '$scheme'}://${hostname === undefined ? '$host' : literal(hostname)}${suffix}`
}

function target({ path }: Redirect, route: Route, define: Definitions): string {
  if (path === undefined) return '$request_uri'
  if (path.type !== 'Prefix') return `${literal(path.value)}$is_args$args`
  const replacement = withoutEndSlashes(path.value)
  const elements = `~^(?:/+[^/?]*){${elementCount(route.path.value)}}`
  // if the whole path is removed, one slash remains
  const rest =
    replacement === ''
      ? [directive('default', ['/']), directive(`${elements}/*(.*)\\z`, ['/$1'])]
      : [directive('default', ['']), directive(`${elements}(.*)\\z`, ['$1'])]
  return `${literal(replacement)}${define.variable('map', 'rest', '$request_uri', rest)}`
}
