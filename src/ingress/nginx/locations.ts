import type { Forward, Route, WeightedBackend } from '../model.js'
import { literal, directive, type Directive } from './directive.js'
import type { Definitions } from './definitions.js'
import { forwardDirectives, mirrorDirectives, type LocationUri } from './forward.js'
import { given, responseHeaders } from './headers.js'
import { redirectDirectives } from './redirect.js'
import { sessionOf, type Session } from './session.js'

/** The locations that carry out a route, and the one to go to; the request's own path stands in `$path`. */
export interface RouteLocations {
  readonly target: string
  readonly locations: readonly Directive[]
}

/** What is done with the requests of a route; a location for each backend where there are several. */
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
      ...mirrors.asked,
      ...forwardDirectives(route, backend, session, 'target', define),
    ]),
  )
  const share = backends.length === 1 ? '0' : split(backends, session, define)
  return { target: `${stem}/${share}`, locations: [...locations, ...mirrors.locations] }
}

/** What a single location does with the requests of a route; undefined where it takes several. */
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

/** The backends that get requests, and what keeps a client with one of them. */
function forwarding({ backends, affinity }: Forward, define: Definitions) {
  return {
    session: affinity === undefined ? undefined : sessionOf(affinity, define),
    backends: backends.filter(({ weight }) => weight > 0),
  }
}

/** Which backend a request goes to: of the same session always the same one. */
function split(
  backends: readonly WeightedBackend[],
  session: Session | undefined,
  define: Definitions,
): string {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0)
  const shares = backends.slice(0, -1).map(({ weight }, index) => {
    // hundredths of a percent are as fine as it gets: what has a weight gets a request now and then
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

/** What holds for every location of a route. */
function common({ id, allowFrom, maxBodyBytes }: Route): Directive[] {
  return [
    directive('set', ['$route', literal(id)]),
    ...(maxBodyBytes === undefined ? [] : [directive('client_max_body_size', [maxBodyBytes])]),
    ...(allowFrom === undefined
      ? []
      : [...allowFrom.map((from) => directive('allow', [from])), directive('deny', ['all'])]),
  ]
}
