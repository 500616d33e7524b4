import type { Route } from '../../topology/network.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import { hostsOf } from '../network/host.js'

/** The state after `ip route add`, `replace` or `del`; undefined for other commands and options of ip. */
export function routeCommand(
  state: TraceState,
  place: string,
  given: readonly string[],
): TraceState | undefined {
  const [object = '', verb = '', to, ...options] = given
  if (!['route', 'ro', 'r'].includes(object) || to === undefined || place === fabricPlace) return undefined
  const route = routeOf(state, place, to, options)
  if (route === undefined) return undefined
  const { routes } = state.network
  const isThere = (one: Route) =>
    one.netns === place && one.to === route.to && (one.table ?? 'main') === (route.table ?? 'main')
  const same = (one: Route) => isThere(one) && sameNextHop(one, options)
  const others = routes.filter((one) => !same(one))
  switch (verb) {
    case 'add':
      return withRoutes(state, [...routes, route])
    case 'replace':
    case 'change':
      return withRoutes(state, [...routes.filter((one) => !isThere(one)), route])
    case 'del':
    case 'delete':
      return others.length === routes.length ? undefined : withRoutes(state, others)
    default:
      return undefined
  }
}

/** The route that `ip route add` describes; undefined with options that a prediction does not know. */
function routeOf(
  state: TraceState,
  place: string,
  first: string,
  words: readonly string[],
): Route | undefined {
  const kind = kinds.find((one) => one === first)
  const [to = '', ...options] = kind === undefined ? [first, ...words] : words
  const [via, dev, table] = ['via', 'dev', 'table'].map((name) => valueOf(options, name))
  const rest = options.filter((word) => !['via', 'dev', 'table', via, dev, table, 'onlink'].includes(word))
  if (rest.length > 0 || to === '') return undefined
  const leads = kind === undefined || kind === 'unicast'
  const device = dev ?? (via === undefined || !leads ? '' : hostsOf(state)(place).routeTo(via)?.device)
  if (device === undefined) return undefined
  return { netns: place, to, via, device, ...(kind && { kind }), ...(table !== undefined && { table }) }
}

const kinds = ['unicast', 'blackhole', 'unreachable', 'prohibit', 'throw'] as const

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
