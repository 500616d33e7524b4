import type { Forward, Route, WeightedBackend } from '../model.js'
import { literal, directive, type Directive } from './directive.js'
import type { Definitions } from './definitions.js'
import { forwardDirectives, mirrorDirectives } from './forward.js'
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
  const { action } = route
  const stem = `/route/${number}`
  if (action.kind === 'forward') return forwardLocations(route, action, stem, define)
  const done =
    action.kind === 'redirect'
      ? redirectDirectives(action, route, define)
      : [directive('return', [action.status])]
  const headers = responseHeaders(given(route.responseHeaders), 'proxy')
  return { target: stem, locations: [location(stem, [...common(route), ...headers, ...done])] }
}

function forwardLocations(
  route: Route,
  { backends, affinity }: Forward,
  stem: string,
  define: Definitions,
): RouteLocations {
  const session = affinity === undefined ? undefined : sessionOf(affinity, define)
  const weighty = backends.filter(({ weight }) => weight > 0)
  const mirrors = mirrorDirectives(route, stem, define)
  const locations = weighty.map((backend, index) =>
    location(`${stem}/${index}`, [
      ...common(route),
      ...mirrors.asked,
      ...forwardDirectives(route, backend, session, define),
    ]),
  )
  if (weighty.length === 0) {
    const status = backends.find(({ unresolvedStatus }) => unresolvedStatus !== undefined)?.unresolvedStatus
    return {
      target: stem,
      locations: [location(stem, [...common(route), directive('return', [status ?? 503])])],
    }
  }
  const share = weighty.length === 1 ? '0' : split(weighty, session, define)
  return { target: `${stem}/${share}`, locations: [...locations, ...mirrors.locations] }
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
