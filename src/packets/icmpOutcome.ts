import type { FlowOutcome, TransportProtocol } from './types.js'

/**
 * The outcome of a flow after an ICMP error, as the sender's socket reports it (icmp_err_convert of Linux: ECONNREFUSED,
 * EHOSTUNREACH, ENETUNREACH); undefined for messages that do not end a flow, such as "fragmentation needed".
 */
export function icmpOutcome(
  protocol: TransportProtocol,
  type: number,
  code: number,
): FlowOutcome | undefined {
  if (protocol === 'icmp') {
    if (type === 3) return code === 3 ? 'refused' : code === 4 ? undefined : 'unreachable'
    return type === 11 || type === 12 ? 'unreachable' : undefined
  }
  if (protocol === 'icmpv6') {
    if (type === 1) return code === 4 ? 'refused' : 'unreachable'
    return type === 3 || type === 4 ? 'unreachable' : undefined
  }
  return undefined
}
