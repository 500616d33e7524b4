import type { Gateway, GatewayListener, RouteGroupKind } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import { certificatesOf, type ListenerCertificate } from './certificates.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import { gatewayFault } from './gatewayFaults.js'

/** A listener of a Gateway, and what is wrong with it. */
export interface ServedListener {
  readonly gateway: Gateway
  readonly listener: GatewayListener
  /** `*` where it is for all. */
  readonly hostname: string
  readonly kinds: readonly string[]
  /** Of HTTPS; the one for a host is that which is made out to it, or the first. */
  readonly certificates: readonly ListenerCertificate[]
  /** Whether TLS can be ended and passed through on one port. */
  readonly mixesTls: boolean
  /** Why nothing of its Gateway is served. */
  readonly closed?: Fault | undefined
  /** Why it is not accepted; nothing of it is served then. */
  readonly rejected?: Fault | undefined
  readonly conflict?: Fault | undefined
  /** What it refers to and is not to be had. */
  readonly unresolved?: Fault | undefined
}

const kindsOf: Readonly<Record<string, readonly string[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TLS: ['TLSRoute'],
}

/** What a controller is like for its listeners. */
export interface ListenerPlace {
  /** The ports that clients can reach; undefined for all. */
  readonly open?: ReadonlySet<number> | undefined
  readonly proxy?: KnownProxy | undefined
}

/** The listeners of a Gateway, each with its faults. */
export function listenersOf(
  cluster: Cluster,
  gateway: Gateway,
  { open, proxy }: ListenerPlace,
): ServedListener[] {
  const { listeners } = gateway.spec
  const closed = gatewayFault(cluster, gateway)
  // nginx ends TLS on a port, or passes it through
  const mixesTls = proxy !== 'nginx'
  return listeners.map((listener) => {
    const { protocol, allowedRoutes } = listener
    const known = kindsOf[protocol] ?? []
    const asked = allowedRoutes?.kinds ?? []
    const isKnown = ({ group, kind }: RouteGroupKind) =>
      group === 'gateway.networking.k8s.io' && known.includes(kind)
    const unknown = asked.find((kind) => !isKnown(kind))
    const { certificates, fault } =
      protocol === 'HTTPS' ? certificatesOf(cluster, gateway, listener) : { certificates: [] }
    return {
      ...{ gateway, listener, certificates, mixesTls, closed },
      hostname: listener.hostname ?? '*',
      kinds: asked.length === 0 ? known : asked.filter(isKnown).map(({ kind }) => kind),
      conflict: conflictOf(listener, listeners, mixesTls),
      rejected: protocolFault(listener, known) ?? portFault(listener, open, mixesTls),
      unresolved:
        unknown === undefined
          ? fault
          : {
              reason: 'InvalidRouteKinds',
              message: `a listener of protocol ${protocol} has no routes of kind ${unknown.kind}`,
            },
    }
  })
}

/** Whether a listener takes requests at all. */
export function isServed(one: ServedListener): boolean {
  const { closed, rejected, conflict, kinds, listener, certificates } = one
  const isWhole = [closed, rejected, conflict].every((fault) => fault === undefined)
  return isWhole && kinds.length > 0 && (listener.protocol !== 'HTTPS' || certificates.length > 0)
}

function protocolFault({ protocol, tls }: GatewayListener, known: readonly string[]): Fault | undefined {
  if (known.length === 0)
    return { reason: 'UnsupportedProtocol', message: `protocol ${protocol} is not served` }
  if (protocol !== 'TLS' || tls?.mode === 'Passthrough') return undefined
  return { reason: 'UnsupportedValue', message: 'TLS is passed through, not terminated, for TLSRoutes' }
}

/** Ingresses are served on 80 and 443, so each of them has a protocol before any Gateway asks. */
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
    return fault(`nginx ends TLS on port ${port}, and passes none through there: HAProxy does both`)
  return fault(`port ${port} of the controller is for ${own.join(' and ')}`)
}

function conflictOf(
  listener: GatewayListener,
  all: readonly GatewayListener[],
  mixesTls: boolean,
): Fault | undefined {
  const beside = all.filter((other) => other !== listener && other.port === listener.port)
  const isTls = ({ protocol }: GatewayListener) => mixesTls && ['HTTPS', 'TLS'].includes(protocol)
  const other = beside.find((one) => one.protocol !== listener.protocol && !(isTls(one) && isTls(listener)))
  if (other !== undefined)
    return {
      reason: 'ProtocolConflict',
      message: `listener ${other.name} has another protocol on port ${other.port}`,
    }
  const same = beside.find(({ hostname = '' }) => hostname === (listener.hostname ?? ''))
  if (same === undefined) return undefined
  return { reason: 'HostnameConflict', message: `listener ${same.name} has the same host name` }
}
