import { namespacedName } from '../../cluster/namespacedName.js'
import type { Fault } from './conditions.js'
import type { ServedListener } from './listeners.js'

/**
 * The listeners of several Gateways and ListenerSets, which share an address, with the conflicts between them. They are in
 * the order of precedence: the first owner decides the protocol of a port and the certificates of a host name, and in a
 * Gateway and its ListenerSets only one listener has a port and a host name. Of those that conflict in one owner, none
 * is served.
 */
export function withConflicts(listeners: readonly ServedListener[]): ServedListener[] {
  const done: ServedListener[] = []
  for (const owner of new Set(listeners.map((one) => one.owner))) {
    const own = listeners
      .filter((one) => one.owner === owner)
      .map((one) => ({ ...one, conflict: conflictWithEarlier(one, done) }))
    const left = own.filter(({ conflict }) => conflict === undefined)
    done.push(...own.map((one) => ({ ...one, conflict: one.conflict ?? conflictInOwner(one, left) })))
  }
  return done
}

function conflictWithEarlier(one: ServedListener, earlier: readonly ServedListener[]): Fault | undefined {
  return earlier
    .filter((other) => other.listener.port === one.listener.port)
    .map((other) => conflictWith(one, other))
    .find((fault) => fault !== undefined)
}

function conflictWith(one: ServedListener, other: ServedListener): Fault | undefined {
  if (other.rejected !== undefined || other.conflict !== undefined || other.closed !== undefined)
    return undefined
  const label = `listener ${other.listener.name} of ${other.owner.kind} ${namespacedName(other.owner)}`
  if (!canShare(one, other))
    return {
      reason: 'ProtocolConflict',
      message: `${label} has protocol ${other.listener.protocol} on port ${other.listener.port}`,
    }
  if (other.hostname !== one.hostname) return undefined
  if (other.gateway === one.gateway)
    return { reason: 'HostnameConflict', message: `${label} has the same port and host name` }
  if (idsOf(one) === idsOf(other)) return undefined
  return { reason: 'HostnameConflict', message: `${label} has other certificates for the same host name` }
}

function conflictInOwner(one: ServedListener, all: readonly ServedListener[]): Fault | undefined {
  // a protocol that no proxy here supports takes no port from others (GatewaySpec, "Distinct Listeners")
  const others = all.filter(
    (other) =>
      other !== one &&
      other.listener.port === one.listener.port &&
      other.rejected?.reason !== 'UnsupportedProtocol',
  )
  const other = others.find((other) => !canShare(one, other))
  if (other !== undefined)
    return {
      reason: 'ProtocolConflict',
      message: `listener ${other.listener.name} has another protocol on port ${other.listener.port}`,
    }
  const same = others.find(({ hostname }) => hostname === one.hostname)
  if (same === undefined) return undefined
  return { reason: 'HostnameConflict', message: `listener ${same.listener.name} has the same host name` }
}

/** Whether two listeners can be on one port: TLS connections are distinguished by SNI. */
function canShare(one: ServedListener, other: ServedListener): boolean {
  const [a, b] = [one.listener.protocol, other.listener.protocol]
  const isTls = (protocol: string) => ['HTTPS', 'TLS'].includes(protocol)
  return a === b || (one.mixesTls && isTls(a) && isTls(b))
}

function idsOf({ certificates }: ServedListener): string {
  return certificates.map(({ id }) => id).join(' ')
}
