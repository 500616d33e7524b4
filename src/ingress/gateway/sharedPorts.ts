import { namespacedName } from '../../cluster/namespacedName.js'
import type { Fault } from './conditions.js'
import type { ServedListener } from './listeners.js'

/**
 * The listeners of several Gateways, which share an address, with the conflicts between them: the first Gateway decides
 * the protocol of a port and the certificates of a host name.
 */
export function withSharedPorts(listeners: readonly ServedListener[]): ServedListener[] {
  return listeners.map((one, index) => {
    if (one.conflict !== undefined) return one
    const before = listeners
      .slice(0, index)
      .filter((other) => other.gateway !== one.gateway && other.listener.port === one.listener.port)
    const conflict = before.map((other) => conflictWith(one, other)).find((fault) => fault !== undefined)
    return conflict === undefined ? one : { ...one, conflict }
  })
}

function conflictWith(one: ServedListener, other: ServedListener): Fault | undefined {
  if (other.rejected !== undefined || other.conflict !== undefined || other.closed !== undefined)
    return undefined
  const { metadata } = other.gateway
  const label = `listener ${other.listener.name} of Gateway ${namespacedName({ metadata })}`
  if (!canShare(one, other))
    return {
      reason: 'ProtocolConflict',
      message: `${label} has protocol ${other.listener.protocol} on port ${other.listener.port}`,
    }
  if (other.hostname !== one.hostname || idsOf(one) === idsOf(other)) return undefined
  return { reason: 'HostnameConflict', message: `${label} has other certificates for the same host name` }
}

/** Whether two listeners can be on one port: TLS connections are distinguished by SNI. */
function canShare(one: ServedListener, other: ServedListener): boolean {
  const [a, b] = [one.listener.protocol, other.listener.protocol]
  return a === b || (one.mixesTls && a !== 'HTTP' && b !== 'HTTP')
}

function idsOf({ certificates }: ServedListener): string {
  return certificates.map(({ id }) => id).join(' ')
}
