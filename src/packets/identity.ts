import { icmpOutcome } from './icmpOutcome.js'
import type { Packet } from './types.js'

/** The role of a packet in a flow. */
export type Role = 'syn' | 'syn-ack' | 'rst' | 'datagram' | 'echo' | 'echo-reply' | 'error'

/** The properties of a packet that routing and NAT do not change. */
export interface Identity {
  readonly role: Role
  /** Equal for all sightings of one packet; unequal for most other packets. */
  readonly key: string
  /** A value that a request and its reply share besides their addresses. */
  readonly token: string
}

/**
 * The identity of a packet that opens, answers or rejects a flow; undefined for every other packet.
 * TCP: the sequence number, which NAT does not change. UDP, SCTP and echoes: the payload. All: the IP identification.
 */
export function identify(packet: Packet): Identity | undefined {
  switch (packet.protocol) {
    case 'tcp':
      return identifyTcp(packet)
    case 'udp':
      return packet.source.port === undefined ? undefined : identifyDatagram(packet)
    case 'sctp':
      // An association starts with INIT, which INIT ACK or ABORT answers (RFC 9260, chunk types 1, 2 and 6).
      return /^0[126]/.test(packet.payload) ? identifyDatagram(packet) : undefined
    case 'icmp':
    case 'icmpv6':
      return identifyIcmp(packet)
    case 'other':
      return undefined
  }
}

function identifyTcp({ tcp, identification }: Packet): Identity | undefined {
  if (tcp === undefined || !(tcp.syn || tcp.rst)) return undefined
  const { sequence, acknowledgement } = tcp
  const key = `${sequence} ${acknowledgement} ${identification}`
  if (tcp.rst) return tcp.ack ? { role: 'rst', key: `rst ${key}`, token: `${acknowledgement}` } : undefined
  if (tcp.ack) return { role: 'syn-ack', key: `syn-ack ${key}`, token: `${acknowledgement}` }
  return { role: 'syn', key: `syn ${sequence} ${identification}`, token: `${(sequence + 1) >>> 0}` }
}

function identifyDatagram({ protocol, payload, identification }: Packet): Identity {
  return { role: 'datagram', key: `${protocol} ${identification} ${payload}`, token: '' }
}

function identifyIcmp({ protocol, icmp, identification, payload }: Packet): Identity | undefined {
  if (icmp === undefined) return undefined
  const { type, code, identifier, sequence, quoted } = icmp
  if (identifier !== undefined && sequence !== undefined) {
    const role = type === 8 || type === 128 ? 'echo' : 'echo-reply'
    // SNAT may change the identifier, as it changes ports.
    return {
      role,
      key: `${role} ${sequence} ${identification} ${payload}`,
      token: `${identifier} ${sequence}`,
    }
  }
  if (quoted === undefined || icmpOutcome(protocol, type, code) === undefined) return undefined
  const about = `${quoted.protocol} ${quoted.identification} ${quoted.sequence}`
  return { role: 'error', key: `${protocol} ${type} ${code} ${identification} ${about}`, token: '' }
}
