import { InputError } from '../errors.js'
import type { RequestHead } from '../ingress/matchingRoutes.js'
import { familyOf } from '../net/ipFamily.js'
import { hostsOf } from './network/host.js'
import { ephemeralPorts, onePort, type TracedPacket, type TracedProtocol } from '../snapshot/model/packet.js'
import type { TraceState } from '../snapshot/model/state.js'

/** A request to predict. */
export interface TraceRequest {
  /** The namespace that sends it. */
  readonly from: string
  readonly protocol: TracedProtocol
  readonly address: string
  /** None for ICMP. */
  readonly port?: number | undefined
  /** The kernel chooses one by default. */
  readonly sourceAddress?: string | undefined
  readonly sourcePort?: number | undefined
  /** If it is one of HTTP. */
  readonly head?: RequestHead | undefined
}

/** The first packet of a request, as the kernel of its namespace sends it. Throws InputError. */
export function firstPacket(state: TraceState, request: TraceRequest): TracedPacket {
  const { from, protocol, address, port, sourceAddress, sourcePort, head } = request
  const host = hostsOf(state)(from)
  const family = familyOf(address)
  const own = host.addresses.filter((one) => one.family === family)
  const route = host.routeTo(address)
  const chosen = route === undefined ? own[0]?.address : host.sourceFor(route, address)
  const source = sourceAddress ?? chosen
  if (source === undefined)
    throw new InputError([{ message: `${from} has no ${family} address to call ${address} from` }])
  if (familyOf(source) !== family || !host.isLocal(source)) {
    const hint = `its addresses: ${own.map((one) => one.address).join(', ')}`
    throw new InputError([{ message: `${source} is not an ${family} address of ${from}`, hint }])
  }
  const ports = protocol !== 'icmp'
  return {
    ...{ family, protocol, kind: 'request', mark: 0 },
    source: {
      address: source,
      port: ports ? (sourcePort === undefined ? ephemeralPorts : onePort(sourcePort)) : undefined,
    },
    destination: { address, port: ports ? onePort(port ?? 0) : undefined },
    ...(head && { head }),
  }
}
