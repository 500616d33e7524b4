import type { Route } from '../../topology/network.js'
import { fabricPlace, type TraceState } from '../model/state.js'
import { hostsOf } from '../network/host.js'

/** The state after `ip route add`, `replace` or `del`; undefined for other commands and options of ip. */
export function routeCommand(
  state: TraceState,
  place: string,
  given: readonly string[],
): TraceState | undefined {
  const words = given.filter((word) => !['-4', '-6'].includes(word))
  const [object = '', verb = '', to, ...options] = words
  if (!['route', 'ro', 'r'].includes(object) || to === undefined || place === fabricPlace) return undefined
  const route = routeOf(state, place, to, options)
  if (route === undefined) return undefined
  const { routes } = state.network
  const same = (one: Route) => one.netns === place && one.to === to && sameNextHop(one, options)
  const others = routes.filter((one) => !same(one))
  switch (verb) {
    case 'add':
      return withRoutes(state, [...routes, route])
    case 'replace':
    case 'change':
      return withRoutes(state, [...routes.filter((one) => one.netns !== place || one.to !== to), route])
    case 'del':
    case 'delete':
      // a route that the kernel adds for an address is not among these
      return others.length === routes.length ? undefined : withRoutes(state, others)
    default:
      return undefined
  }
}

/** The route that `ip route add` describes; undefined with options that a prediction does not know. */
export function routeOf(
  state: TraceState,
  place: string,
  to: string,
  options: readonly string[],
): Route | undefined {
  const [via, dev] = [valueOf(options, 'via'), valueOf(options, 'dev')]
  const rest = options.filter((word) => !['via', 'dev', via, dev, 'onlink'].includes(word))
  if (rest.length > 0) return undefined
  const device = dev ?? (via === undefined ? '' : hostsOf(state)(place).routeTo(via)?.device)
  return device === undefined ? undefined : { netns: place, to, via, device }
}

function sameNextHop({ via, device }: Route, options: readonly string[]): boolean {
  const [hop = via, dev = device] = [valueOf(options, 'via'), valueOf(options, 'dev')]
  return hop === via && dev === device
}

function withRoutes(state: TraceState, routes: readonly Route[]): TraceState {
  return { ...state, network: { ...state.network, routes } }
}

function valueOf(options: readonly string[], name: string): string | undefined {
  const at = options.indexOf(name)
  return at < 0 ? undefined : options[at + 1]
}
