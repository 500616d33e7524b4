import type { Range } from '../../netfilter/rules/formats.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { IcmpHeader, TracedSocket } from '../../snapshot/model/packet.js'

/** Whether a port is one of those predicted. */
export function fitsPort(predicted: Range | undefined, seen: number | undefined): boolean {
  if (predicted === undefined || seen === undefined) return predicted === seen
  return seen >= predicted.first && seen <= predicted.last
}

/** Whether an address and port are those predicted. */
export function fitsSocket(predicted: TracedSocket, seen: SocketAddress): boolean {
  return predicted.address === seen.address && fitsPort(predicted.port, seen.port)
}

/** Whether two messages of ICMP have the same type and code. */
export function sameIcmp(a: IcmpHeader, b: IcmpHeader): boolean {
  return a.type === b.type && a.code === b.code
}
