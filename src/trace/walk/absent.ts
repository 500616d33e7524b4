import type { End, Missing } from '../model/steps.js'
import { onlyPort } from '../../snapshot/model/packet.js'
import { portText } from '../rules/matchTransport.js'
import { elsewhere, end, kernelDrop } from './ends.js'
import type { Links } from '../network/links.js'
import type { Visit } from './visit.js'

/** No host on a link has the next hop's address, or the device is not part of the lab’s network. */
export function noNeighbour({ host }: Visit, links: Links, device: string, address: string): End {
  const isKnown = links.isKnown({ place: host.name, device })
  if (!isKnown && links.mayBeElsewhere())
    return elsewhere(host.name, `what is behind ${device} of ${host.name} is not attached`)
  if (!isKnown)
    return end('unreachable', host.name, `${device} of ${host.name} leads out of the lab`, 'timeout')
  const missing = { kind: 'neighbour', device, address } as const
  if (links.mayBeElsewhere(address)) return elsewhere(host.name, `nothing attached has ${address}`)
  const learned = links.learnedMac({ place: host.name, device }, address)
  if (learned !== undefined) {
    const reason = `${host.name} has learned ${learned} for ${address}, which no interface on ${device} has; when it asks again is not known`
    return end('untraceable', host.name, reason, 'unknown', missing)
  }
  const mac = links.fixedMac({ place: host.name, device }, address)
  if (links.isDown({ place: host.name, device })) {
    const reason = `${device} of ${host.name}, by which it sends packets for ${address}, is down`
    return end('unreachable', host.name, reason, mac === undefined ? 'unreachable' : 'timeout', missing)
  }
  if (mac !== undefined) {
    const down = links.downWith(address)
    const known = down === undefined ? '' : ` (${down.device} of ${down.place} is down)`
    const reason = `${host.name} sends frames for ${address} to ${mac} (a permanent neighbour of ${device}), which no interface there has${known}`
    return end('unreachable', host.name, reason, 'timeout', missing)
  }
  const down = links.downWith(address)
  const why = down === undefined ? '' : `: ${down.device} of ${down.place}, which has it, is down`
  return end('unreachable', host.name, `no host on ${device} has ${address}${why}`, 'unreachable', missing)
}

/** A bridge would have to send a packet back through the port by which it came, and does not, or it is not known whether it does. */
export function noHairpin(visit: Visit, bridge: string, port: string, isKnown: boolean): End {
  if (!isKnown) {
    const question = `whether the bridge ${bridge} sends a packet back through the port ${port} (hairpin) is not known`
    return end('untraceable', visit.host.name, question, 'unknown')
  }
  const reason = `the bridge ${bridge} does not send a packet back through the port ${port} (hairpin is off)`
  return kernelDrop(visit, { reason, missing: { kind: 'hairpin', bridge, port } })
}

/** Nothing listens for a packet without a connection. */
export function noListener(visit: Visit): End {
  const { host, packet } = visit
  const reason = `nothing listens on ${packet.protocol} port ${portOf(visit)} of ${host.name}`
  return end('refused', host.name, reason, 'connection refused', listener(visit))
}

/** A program runs where the packet arrives, and its ports are not known. */
export function unknownListener(visit: Visit, program: string): End {
  const { host, packet } = visit
  const reason = `it arrives at ${host.name}; whether ${program} listens on ${packet.protocol} port ${portOf(visit)} is not known`
  return end('untraceable', host.name, reason, 'unknown', listener(visit, program))
}

function listener(visit: Visit, program?: string): Missing {
  const { protocol, destination } = visit.packet
  return {
    kind: 'listener',
    protocol,
    address: destination.address,
    port: onlyPort(destination.port),
    program,
  }
}

function portOf({ packet: { destination } }: Visit): string {
  return destination.port === undefined ? '' : portText(destination.port)
}
