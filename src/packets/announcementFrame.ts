import ipaddr from 'ipaddr.js'

const etherType = { arp: 0x0806, ipv6: 0x86dd } as const
const icmpv6 = 58
const neighbourAdvertisement = 136
const targetLinkLayerAddress = 2
/** Router and Override are set, Solicited is not: receivers replace the MAC address they have cached (RFC 4861, 4.4). */
const routerAndOverride = 0xa0000000
const broadcast = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]

/**
 * The Ethernet frame that announces the MAC address of an IP address to all hosts on the link: gratuitous ARP (RFC 5227,
 * 3), or an unsolicited neighbour advertisement (RFC 4861, 7.2.6).
 */
export function announcementFrame(address: string, mac: string): Uint8Array {
  const hardware = mac.split(':').map((byte) => Number.parseInt(byte, 16))
  const target = ipaddr.parse(address).toByteArray()
  return Uint8Array.from(
    target.length === 4 ? gratuitousArp(target, hardware) : unsolicitedAdvertisement(target, hardware),
  )
}

function gratuitousArp(address: readonly number[], mac: readonly number[]): number[] {
  const ethernetAndIPv4 = [...uint16(1), ...uint16(0x0800), 6, 4]
  const request = uint16(1)
  const noTarget = [0, 0, 0, 0, 0, 0]
  return [
    ...[...broadcast, ...mac, ...uint16(etherType.arp)],
    ...[...ethernetAndIPv4, ...request, ...mac, ...address, ...noTarget, ...address],
  ]
}

function unsolicitedAdvertisement(address: readonly number[], mac: readonly number[]): number[] {
  const allNodes = ipaddr.IPv6.parse('ff02::1').toByteArray()
  const flags = uint32(routerAndOverride)
  const option = [targetLinkLayerAddress, 1, ...mac]
  const rest = [...flags, ...address, ...option]
  const type = [neighbourAdvertisement, 0]
  const length = type.length + 2 + rest.length
  const pseudoHeader = [...address, ...allNodes, ...uint32(length), ...uint32(icmpv6)]
  const sum = checksum([...pseudoHeader, ...type, 0, 0, ...rest])
  const header = [...uint32(0x60000000), ...uint16(length), icmpv6, 255, ...address, ...allNodes]
  const allNodesMac = [0x33, 0x33, 0, 0, 0, 1]
  return [...allNodesMac, ...mac, ...uint16(etherType.ipv6), ...header, ...type, ...uint16(sum), ...rest]
}

/** The Internet checksum of an even number of bytes (RFC 1071). */
function checksum(bytes: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < bytes.length; index += 2)
    sum += ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return ~sum & 0xffff
}

function uint16(value: number): number[] {
  return [value >> 8, value & 0xff]
}

function uint32(value: number): number[] {
  return [...uint16(Math.floor(value / 0x10000)), ...uint16(value % 0x10000)]
}
