import type { Gateway, GatewayListener, ListenerOwner, RouteGroupKind } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import { certificatesOf, type ListenerCertificate } from './certificates.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import { gatewayFault } from './gatewayFaults.js'
import { allowsListenerSet, listenerSetsOf } from './listenerSets.js'

/** A listener of a Gateway or of one of its ListenerSets, and its faults. */
export interface ServedListener {
  readonly gateway: Gateway
  /** The object that has the listener: routes attach to it, and certificates are those that it may use. */
  readonly owner: ListenerOwner
  readonly listener: GatewayListener
  /** `*` for all names. */
  readonly hostname: string
  readonly kinds: readonly string[]
  /** For HTTPS; a host uses the one that is valid for it, or the first. */
  readonly certificates: readonly ListenerCertificate[]
  /** Whether TLS can be terminated and passed through on one port. */
  readonly mixesTls: boolean
  /** Why its Gateway is not served at all. */
  readonly closed?: Fault | undefined
  /** Why it is not accepted and not served. */
  readonly rejected?: Fault | undefined
  /** A listener that has its port or its host name (`withConflicts`). */
  readonly conflict?: Fault | undefined
  /** An unresolved reference. */
  readonly unresolved?: Fault | undefined
}

/** The kinds of routes that a protocol can serve. */
const kindsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['HTTP', ['HTTPRoute', 'GRPCRoute']],
  ['HTTPS', ['HTTPRoute', 'GRPCRoute']],
  ['TLS', ['TLSRoute']],
])

/** Properties of a controller that its listeners depend on. */
export interface ListenerPlace {
  /** The ports that clients can reach; undefined for all. */
  readonly open?: ReadonlySet<number> | undefined
  readonly proxy?: KnownProxy | undefined
}

/** The listeners of a Gateway and then those of the ListenerSets that it allows, by precedence, each with its faults. */
export function listenersOf(cluster: Cluster, gateway: Gateway, place: ListenerPlace): ServedListener[] {
  const sets = listenerSetsOf(cluster, gateway).filter((one) => allowsListenerSet(cluster, gateway, one))
  return [gateway, ...sets].flatMap((owner) => listenersOfOwner(cluster, gateway, owner, place))
}

function listenersOfOwner(
  cluster: Cluster,
  gateway: Gateway,
  owner: ListenerOwner,
  { open, proxy }: ListenerPlace,
): ServedListener[] {
  const { listeners } = owner.spec
  const closed = gatewayFault(cluster, gateway)
  // on one port nginx either terminates TLS or passes it through
  const mixesTls = proxy !== 'nginx'
  return listeners.map((listener) => {
    const { protocol, allowedRoutes } = listener
    const known = kindsOf.get(protocol) ?? []
    const requested = allowedRoutes?.kinds ?? []
    const isKnown = ({ group, kind }: RouteGroupKind) =>
      group === 'gateway.networking.k8s.io' && known.includes(kind)
    const unknown = requested.find((kind) => !isKnown(kind))
    const { certificates, fault } =
      protocol === 'HTTPS' ? certificatesOf(cluster, owner, listener) : { certificates: [] }
    return {
      ...{ gateway, owner, listener, certificates, mixesTls, closed },
      hostname: listener.hostname ?? '*',
      kinds: requested.length === 0 ? known : requested.filter(isKnown).map(({ kind }) => kind),
      rejected: protocolFault(listener, known) ?? portFault(listener, open, mixesTls),
      unresolved:
        unknown === undefined
          ? fault
          : {
              reason: 'InvalidRouteKinds',
              message: `protocol ${protocol} does not support routes of kind ${unknown.kind}`,
            },
    }
  })
}

/** Whether a listener serves requests. */
export function isServed(one: ServedListener): boolean {
  const { closed, rejected, conflict, kinds, listener, certificates } = one
  const isWhole = [closed, rejected, conflict].every((fault) => fault === undefined)
  return isWhole && kinds.length > 0 && (listener.protocol !== 'HTTPS' || certificates.length > 0)
}

function protocolFault({ protocol, tls }: GatewayListener, known: readonly string[]): Fault | undefined {
  if (known.length === 0)
    return { reason: 'UnsupportedProtocol', message: `protocol ${protocol} is not supported` }
  if (protocol !== 'TLS' || tls?.mode === 'Passthrough') return undefined
  return { reason: 'UnsupportedValue', message: 'TLS is passed through, not terminated, for TLSRoutes' }
}

/** Ingresses use ports 80 and 443, so the protocols of these ports are fixed. */
function portFault(
  { port, protocol }: GatewayListener,
  open: ReadonlySet<number> | undefined,
  mixesTls: boolean,
): Fault | undefined {
  const fault = (message: string) => ({ reason: 'PortUnavailable', message })
  if (open?.has(port) === false) return fault(`the Service of the controller does not open port ${port}`)
  const own = { 80: ['HTTP'], 443: mixesTls ? ['HTTPS', 'TLS'] : ['HTTPS'] }[port]
  if (own === undefined || own.includes(protocol)) return undefined
  if (protocol === 'TLS' && own.includes('HTTPS'))
    return fault(`nginx terminates TLS on port ${port} and cannot pass it through there: HAProxy can do both`)
  return fault(`port ${port} of the controller is reserved for ${own.join(' and ')}`)
}
