import { fieldName } from '../../agents/meaning.js'
import type { Route, WeightedBackend } from '../../ingress/model.js'
import { matchingRoutes } from '../../ingress/matchingRoutes.js'
import { joinHostPort } from '../../net/socketText.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { HttpRelay, Relay, RelayTarget, TurnRelay } from '../../snapshot/model/relay.js'
import type { End } from '../model/steps.js'
import type { Choices, Option } from './choices.js'
import { end } from './ends.js'

/** A proxy that has accepted a connection. */
export interface Proxy {
  readonly place: string
  readonly name: string
}

/** A connection that a proxy has accepted. */
export interface Accepted extends Proxy {
  readonly relay: Relay
  readonly packet: TracedPacket
  /** How many hops it had passed. */
  readonly hops: number
}

/** Where a proxy opens its own connection, or how it ends the one that it has accepted. */
export type Picked = { readonly target: RelayTarget } | { readonly end: End }

/** What a proxy does with a connection; what it picks is a choice. */
export function pick({ relay, packet, ...proxy }: Accepted, choices: Choices): Picked {
  switch (relay.kind) {
    case 'turn':
      return pickByTurn(relay, proxy, choices)
    case 'http':
      return byRoute(relay, proxy, packet, choices)
    case 'status':
      return { end: returns(proxy, relay.status, relay.why) }
  }
}

function pickByTurn({ targets, picks, object }: TurnRelay, proxy: Proxy, choices: Choices): Picked {
  const target = oneOf(targets, proxy, picks, choices)
  if (target !== undefined) return { target }
  const what =
    object === undefined ? 'it has no ready endpoint' : `Service ${fieldName(object)} has no ready endpoint`
  const reason = `${proxy.name} accepts the connection and closes it: ${what}`
  return { end: end('refused', proxy.place, reason, 'reset') }
}

function byRoute(
  { listeners }: HttpRelay,
  proxy: Proxy,
  { head, proxyHeader }: TracedPacket,
  choices: Choices,
): Picked {
  const expected = listeners.every(({ proxyProtocol }) => proxyProtocol)
  if (expected && proxyHeader !== true) {
    const reason = `${proxy.name} closes the connection: it expects a header of the PROXY protocol`
    return { end: end('refused', proxy.place, reason, 'reset') }
  }
  if (!expected && proxyHeader === true)
    return {
      end: { ...returns(proxy, 400, 'a header of the PROXY protocol is no request'), kind: 'refused' },
    }
  if (head === undefined) {
    const reason = `${proxy.name} selects a backend by the HTTP request, which is not known`
    return { end: end('untraceable', proxy.place, reason, 'unknown') }
  }
  if (head.verifies === true && isRejected(proxy, choices)) {
    const reason = `the client ends the connection: it does not trust the certificate of ${proxy.name}`
    return { end: end('refused', proxy.place, reason, 'reset') }
  }
  const question = `${proxy.name}: the route of ${head.host}${head.target}`
  const routes = matchingRoutes(listeners, head)
  const { place } = proxy
  const taken =
    routes.length === 1
      ? 0
      : choices.take(
          { kind: 'unknown', place, question },
          routes.map((route) => ({ name: route?.id ?? 'no route' })),
        )
  const route = routes[taken]
  return route === undefined
    ? { end: returns(proxy, 404, 'no route matches') }
    : ofRoute(route, proxy, choices)
}

/** Certificates are not evaluated. */
function isRejected({ name, place }: Proxy, choices: Choices): boolean {
  const question = `the certificate of ${name}`
  const options = [{ name: 'is trusted' }, { name: 'is not trusted' }]
  return choices.take({ kind: 'unknown', place, question }, options) === 1
}

function ofRoute({ id, action }: Route, proxy: Proxy, choices: Choices): Picked {
  if (action.kind !== 'forward') return { end: returns(proxy, action.status, id, { route: id }) }
  const backends = action.backends.filter(({ weight }) => weight > 0)
  const backend = oneBackend(backends, proxy, id, choices)
  if (backend === undefined) return { end: returns(proxy, 503, `${id} has no backend`, { route: id }) }
  const picks = action.affinity === undefined ? 'round robin' : `cookie ${action.affinity.cookie}`
  const target = oneOf(backend.endpoints, proxy, `${picks}, ${backend.name}`, choices)
  if (target !== undefined) return { target }
  return { end: withoutEndpoints(backend, proxy, id) }
}

/** A reference that the controller has not resolved has a status of its own. */
function withoutEndpoints({ name, unresolvedStatus }: WeightedBackend, proxy: Proxy, route: string): End {
  const of = { route, backend: name }
  if (unresolvedStatus !== undefined)
    return returns(
      proxy,
      unresolvedStatus,
      `the route may not use ${name}, or it does not exist (ResolvedRefs)`,
      of,
    )
  const service = /^[^/]+\/[^/:]+(?=:)/.exec(name)?.[0]
  const subject = service === undefined ? name : `Service ${service}`
  return returns(proxy, 503, `${subject} has no ready endpoint`, of)
}

function oneBackend(
  backends: readonly WeightedBackend[],
  { place, name }: Proxy,
  route: string,
  choices: Choices,
): WeightedBackend | undefined {
  if (backends.length < 2) return backends[0]
  const all = backends.reduce((sum, { weight }) => sum + weight, 0)
  const options = backends.map((one): Option => ({ name: one.name, probability: one.weight / all }))
  return backends[
    choices.take({ kind: 'random', place, question: `${name}: a backend of ${route}` }, options)
  ]
}

function oneOf(
  targets: readonly RelayTarget[],
  { place, name }: Proxy,
  picks: string,
  choices: Choices,
): RelayTarget | undefined {
  if (targets.length < 2) return targets[0]
  const options = targets.map(({ address, port }): Option => ({
    name: joinHostPort(address, port),
    probability: 1 / targets.length,
  }))
  return targets[choices.take({ kind: 'random', place, question: `${name}: ${picks}` }, options)]
}

/** The proxy returns a status itself; one of 500 or more is a failure. */
function returns(
  { name, place }: Proxy,
  status: number,
  why: string,
  of: { readonly route?: string; readonly backend?: string } = {},
): End {
  const kind = status >= 500 ? 'refused' : 'answered'
  const reason = `${name} returns ${status}: ${why}`
  return { ...end(kind, place, reason, 'answer'), http: { status, ...of } }
}
