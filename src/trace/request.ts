import { InputError } from '../errors.js'
import type { RequestHead } from '../ingress/matchingRoutes.js'
import { familyOf } from '../net/ipFamily.js'
import { hostsOf } from './network/host.js'
import {
  ephemeralPorts,
  onePort,
  type StatedSender,
  type TracedPacket,
  type TracedProtocol,
} from '../snapshot/model/packet.js'
import type { TraceState } from '../snapshot/model/state.js'

/** Facts about a request that only who asks knows. */
export interface StatedFacts extends StatedSender {
  /** The mark of its packets; 0 by default. */
  readonly mark?: number | undefined
}

/** A request to predict. */
export interface TraceRequest extends StatedFacts {
  /** The namespace that sends it, or gets it by the interface `arrives`. */
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
  const { from, protocol, address, port, sourceAddress, sourcePort, head, mark = 0 } = request
  const { uid, gid, arrives } = request
  const host = hostsOf(state)(from)
  const family = familyOf(address)
  const own = host.addresses.filter((one) => one.family === family)
  const route = host.routeTo(address, { mark })
  const chosen = route === undefined ? own[0]?.address : host.sourceFor(route, address)
  const source = sourceAddress ?? chosen
  if (source === undefined)
    throw new InputError([{ message: `${from} has no ${family} address to call ${address} from` }])
  if (
    arrives !== undefined &&
    !state.network.devices.some(({ netns, name }) => netns === from && name === arrives)
  )
    throw new InputError([{ message: `${from} has no interface ${arrives}` }])
  if (arrives !== undefined && sourceAddress === undefined)
    throw new InputError([
      { message: 'a packet that arrives from another host needs a source address (--source)' },
    ])
  if (familyOf(source) !== family || (arrives === undefined && !host.isLocal(source))) {
    const hint = `its addresses: ${own.map((one) => one.address).join(', ')}`
    throw new InputError([{ message: `${source} is not an ${family} address of ${from}`, hint }])
  }
  const ports = protocol !== 'icmp'
  return {
    ...{ family, protocol, kind: 'request', mark },
    ...([uid, gid, arrives].some((one) => one !== undefined) && { sender: { uid, gid, arrives } }),
    source: {
      address: source,
      port: ports ? (sourcePort === undefined ? ephemeralPorts : onePort(sourcePort)) : undefined,
    },
    destination: { address, port: ports ? onePort(port ?? 0) : undefined },
    ...(head && { head }),
  }
}
