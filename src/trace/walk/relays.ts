import { fieldName } from '../../agents/meaning.js'
import type { Route, WeightedBackend } from '../../ingress/model.js'
import { hostsOf } from '../../ingress/hostOrder.js'
import { isGrpcOnly } from '../../ingress/nginx/servers.js'
import { matchingRoutes, type RequestHead } from '../../ingress/matchingRoutes.js'
import { canonicalAddress, rangeContains, rangeOf } from '../../net/ranges.js'
import { joinHostPort } from '../../net/socketText.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { HttpRelay, Relay, RelayTarget, StatusRelay, TurnRelay } from '../../snapshot/model/relay.js'
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

/** Where a proxy opens its own connection, and what it sends over it; or how it ends the one that it has accepted. */
export type Picked = OwnConnection | { readonly end: End }

interface OwnConnection {
  readonly target: RelayTarget
  readonly head?: RequestHead | undefined
  /** What selected it, if the proxy has read the request. */
  readonly route?: string | undefined
}

/** What a proxy does with a connection; what it picks is a choice. */
export function pick({ relay, packet, ...proxy }: Accepted, choices: Choices): Picked {
  switch (relay.kind) {
    case 'turn':
      return pickByTurn(relay, proxy, packet, choices)
    case 'http':
      return byRoute(relay, proxy, packet, choices)
    case 'status':
      return { end: answer(relay, proxy, packet.head) }
  }
}

/** Whether a server of HTTP answers without an error; a connection that carries no request of HTTP gets none. */
export function answersWell(relay: StatusRelay, head: RequestHead | undefined): boolean {
  return head === undefined || (!head.secure && head.http2 !== true && statusOf(relay, head).status < 400)
}

function statusOf({ status, why, paths = {} }: StatusRelay, { target }: RequestHead) {
  const [path = ''] = target.split('?')
  const own = paths[path]
  return own === undefined ? { status, why } : { status: own, why: path }
}

function answer(relay: StatusRelay, proxy: Proxy, head: RequestHead | undefined): End {
  if (head?.secure === true || head?.http2 === true) return speaksHttp1(proxy, head)
  const { status, why } = head === undefined ? relay : statusOf(relay, head)
  return returns(proxy, status, why)
}

/** A connection that begins with TLS, or with HTTP/2, where HTTP/1.1 is spoken. */
function speaksHttp1({ name, place }: Proxy, head: RequestHead): End {
  const reason = head.secure
    ? `${name} speaks HTTP without TLS: the TLS handshake fails`
    : `${name} speaks HTTP/1.1, and the connection begins with HTTP/2`
  return end('refused', place, reason, 'protocol error', { kind: 'protocol', spoken: 'HTTP/1.1' })
}

/** A connection that begins with HTTP where TLS is expected. */
function withoutTls({ listeners, proxy: program }: HttpRelay, proxy: Proxy): End {
  const missing = { kind: 'protocol', spoken: 'TLS' } as const
  const ends = listeners.some(({ protocol }) => protocol === 'HTTPS')
  if (program === 'nginx' && ends) return { ...returns(proxy, 400, 'it expects TLS on this port'), missing }
  return end(
    'refused',
    proxy.place,
    `${proxy.name} closes the connection: it expects TLS on this port`,
    'reset',
    missing,
  )
}

function pickByTurn(
  { targets, picks, object }: TurnRelay,
  proxy: Proxy,
  { head }: TracedPacket,
  choices: Choices,
): Picked {
  const target = oneOf(targets, proxy, picks, choices)
  if (target !== undefined) return { target, head }
  const what =
    object === undefined ? 'it has no ready endpoint' : `Service ${fieldName(object)} has no ready endpoint`
  const reason = `${proxy.name} accepts the connection and closes it: ${what}`
  return { end: end('refused', proxy.place, reason, 'reset') }
}

function byRoute(relay: HttpRelay, proxy: Proxy, packet: TracedPacket, choices: Choices): Picked {
  const { listeners } = relay
  const { head, proxyHeader } = packet
  const expected = listeners.every(({ proxyProtocol }) => proxyProtocol)
  if (expected && proxyHeader === undefined) {
    const reason = `${proxy.name} closes the connection: it expects a header of the PROXY protocol`
    return { end: end('refused', proxy.place, reason, 'reset') }
  }
  if (!expected && proxyHeader !== undefined)
    return {
      end: { ...returns(proxy, 400, 'a header of the PROXY protocol is no request'), kind: 'refused' },
    }
  if (head === undefined) {
    const reason = `${proxy.name} selects a backend by the HTTP request, which is not known`
    return { end: end('untraceable', proxy.place, reason, 'unknown') }
  }
  const ofTls = (isSecure: boolean) => listeners.some(({ protocol }) => (protocol !== 'HTTP') === isSecure)
  if (!ofTls(head.secure)) return { end: head.secure ? speaksHttp1(proxy, head) : withoutTls(relay, proxy) }
  if (!head.secure && head.http2 === true && relay.proxy === 'nginx' && !isGrpcOnly(hostsOf(listeners)))
    return { end: speaksHttp1(proxy, head) }
  if (head.verifies === true && isRejected(proxy, choices)) {
    const reason = `the client ends the connection: it does not trust the certificate of ${proxy.name}`
    return { end: end('refused', proxy.place, reason, 'protocol error') }
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
  const passing = listeners.filter(({ protocol }) => protocol === 'TLS')
  const ofPassing = passing.flatMap(({ hosts }) => hosts.flatMap((host) => host.routes))
  const isPassed = route === undefined ? passing.length === listeners.length : ofPassing.includes(route)
  const own = { ...proxy, passesTls: isPassed }
  return route === undefined
    ? { end: returns(own, 404, 'no route matches') }
    : ofRoute(route, own, packet, choices)
}

/** Certificates are not evaluated. */
function isRejected({ name, place }: Proxy, choices: Choices): boolean {
  const question = `the certificate of ${name}`
  const options = [{ name: 'is trusted' }, { name: 'is not trusted' }]
  return choices.take({ kind: 'unknown', place, question }, options) === 1
}

function ofRoute(
  { id, action, allowFrom }: Route,
  proxy: RoutedProxy,
  { head, proxyHeader, source }: TracedPacket,
  choices: Choices,
): Picked {
  const client = proxyHeader ?? source.address
  const isAllowed = (one: string) =>
    one.includes('/') ? rangeContains(rangeOf(one), client) : canonicalAddress(one) === client
  if (allowFrom?.some(isAllowed) === false)
    return { end: returns(proxy, 403, `${id} does not allow ${client}`, { route: id }) }
  if (action.kind !== 'forward') return { end: returns(proxy, action.status, id, { route: id }) }
  const backends = action.backends.filter(({ weight }) => weight > 0)
  const backend = oneBackend(backends, proxy, id, choices)
  if (backend === undefined) return { end: returns(proxy, 503, `${id} has no backend`, { route: id }) }
  const picks = action.affinity === undefined ? 'round robin' : `cookie ${action.affinity.cookie}`
  const target = oneOf(backend.endpoints, proxy, `${picks}, ${backend.name}`, choices)
  if (target === undefined) return { end: withoutEndpoints(backend, proxy, id) }
  return { target, ...(proxy.passesTls ? { head } : { head: head && headFor(backend, head), route: id }) }
}

/** What a proxy that has ended TLS sends to a backend. */
function headFor(
  { protocol }: WeightedBackend,
  { verifies: _, http2: __, ...head }: RequestHead,
): RequestHead {
  const isTwo = protocol !== 'HTTP' && protocol !== 'HTTPS'
  return {
    ...{ ...head, secure: protocol === 'HTTPS' || protocol === 'GRPCS' },
    ...(isTwo && { http2: true }),
  }
}

/** A reference that the controller has not resolved has a status of its own. */
function withoutEndpoints(
  { name, unresolvedStatus }: WeightedBackend,
  proxy: RoutedProxy,
  route: string,
): End {
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

/** A proxy that has selected a route; `passesTls` if it only reads the server name of a connection. */
interface RoutedProxy extends Proxy {
  readonly passesTls?: boolean | undefined
}

/** The proxy returns a status itself; one of 500 or more is a failure. In a connection of which it does not end TLS, it cannot. */
function returns(
  { name, place, passesTls }: RoutedProxy,
  status: number,
  why: string,
  of: { readonly route?: string; readonly backend?: string } = {},
): End {
  if (passesTls === true)
    return { ...end('refused', place, `${name} closes the connection: ${why}`, 'protocol error'), http: of }
  const kind = status >= 500 ? 'refused' : 'answered'
  const reason = `${name} returns ${status}: ${why}`
  return { ...end(kind, place, reason, 'answer'), http: { status, ...of } }
}
