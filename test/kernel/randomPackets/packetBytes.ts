import ipaddr from 'ipaddr.js'
import type { TracedPacket } from '../../../src/snapshot/model/packet.js'

/** In bytes, of every packet. */
const packetLength = 72

const numbers = { tcp: 6, udp: 17, sctp: 132, icmp: 1 } as const

/** A first packet with one source port as bytes, from its IP header: a SYN, a datagram, an INIT or an echo request. */
export function packetBytes(packet: TracedPacket, identification: number): Buffer {
  const isIpv6 = packet.family === 'IPv6'
  const headerLength = isIpv6 ? 40 : 20
  const number = isIpv6 && packet.protocol === 'icmp' ? 58 : numbers[packet.protocol]
  const [source, destination] = [bytesOf(packet.source.address), bytesOf(packet.destination.address)]
  const payload = transport(packet, identification, packetLength - headerLength)
  const pseudo = Buffer.concat([source, destination, word(payload.length), word(number)])
  const at = { tcp: 16, udp: 6, icmp: 2, sctp: undefined }[packet.protocol]
  if (at !== undefined) {
    const covered = number === numbers.icmp ? payload : Buffer.concat([pseudo, payload])
    payload.writeUInt16BE(checksum(covered), at)
  } else payload.writeUInt32LE(crc32c(payload), 8)
  const header = Buffer.alloc(headerLength)
  if (isIpv6) {
    // its flow label, by which ICMP errors name it
    header.writeUInt32BE(0x60000000 + identification, 0)
    header.writeUInt16BE(payload.length, 4)
    header.set([number, 64], 6)
    header.set(source, 8)
    header.set(destination, 24)
    return Buffer.concat([header, payload])
  }
  header[0] = 0x45
  header.writeUInt16BE(packetLength, 2)
  header.writeUInt16BE(identification, 4)
  header.set([64, number], 8)
  header.set(source, 12)
  header.set(destination, 16)
  header.writeUInt16BE(checksum(header), 10)
  return Buffer.concat([header, payload])
}

function transport(packet: TracedPacket, identification: number, length: number): Buffer {
  const { protocol, source, destination, family } = packet
  const bytes = Buffer.alloc(length)
  if (protocol === 'icmp') {
    bytes[0] = family === 'IPv4' ? 8 : 128
    bytes.writeUInt16BE(identification, 4)
    return bytes
  }
  bytes.writeUInt16BE(source.port?.first ?? 0, 0)
  bytes.writeUInt16BE(destination.port?.first ?? 0, 2)
  if (protocol === 'udp') bytes.writeUInt16BE(length, 4)
  if (protocol === 'tcp') {
    bytes.writeUInt32BE(identification * 65_537, 4)
    // a header of 20 bytes, SYN, a window
    bytes.set([0x50, 0x02, 0xff, 0xff], 12)
  }
  if (protocol === 'sctp') {
    // one chunk: INIT with a tag, a window, one stream each way, and padding (RFC 4820)
    bytes[12] = 1
    bytes.writeUInt16BE(length - 12, 14)
    bytes.writeUInt32BE(identification + 1, 16)
    bytes.writeUInt32BE(65_535, 20)
    bytes.set([0, 1, 0, 1], 24)
    bytes.writeUInt32BE(identification + 1, 28)
    if (length > 32) {
      bytes.writeUInt16BE(0x8005, 32)
      bytes.writeUInt16BE(length - 32, 34)
    }
  }
  return bytes
}

function bytesOf(address: string): Buffer {
  return Buffer.from(ipaddr.parse(address).toByteArray())
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** RFC 9260, appendix A. */
function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  return ~crc >>> 0
}
