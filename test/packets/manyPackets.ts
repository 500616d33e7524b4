import { joinFlows } from './joinFlows.js'
import { parsePcap } from '../../src/packets/pcap.js'
import type { Capture } from '../../src/packets/types.js'
import { ipPacket, tcpSegment, udpDatagram, writePcap, type Frame } from './writePcap.js'

/** The hops of a NodePort request: capture, interface, sll_pkttype, TTL, source, destination. */
export const hops: readonly (readonly [number, number, number, number, string, string])[] = [
  [0, 2, 4, 64, '172.18.0.100', '172.18.0.2'],
  [1, 2, 0, 64, '172.18.0.100', '172.18.0.2'],
  [1, 2, 4, 63, '172.18.0.2', '10.244.1.5'],
  [2, 2, 0, 63, '172.18.0.2', '10.244.1.5'],
  [2, 3, 4, 62, '172.18.0.2', '10.244.1.5'],
  [2, 4, 4, 62, '172.18.0.2', '10.244.1.5'],
  [3, 2, 0, 62, '172.18.0.2', '10.244.1.5'],
]
const netnses = ['client', 'node-a', 'node-b', 'pod']
const interfaces = new Map([
  [1, 'lo'],
  [2, 'eth0'],
  [3, 'cni0'],
  [4, 'veth0'],
])
const bytesOf = new Map(
  ['172.18.0.100', '172.18.0.2', '10.244.1.5'].map((text) => [
    text,
    Buffer.from(text.split('.').map(Number)),
  ]),
)

/** Captures of `total` packets, in connections of `perFlow` packets, the first of which opens the connection. */
function record(
  total: number,
  perFlow: number,
  body: (flow: number, packet: number, ports: readonly [number, number]) => Buffer,
  protocol: number,
) {
  const frames: Frame[][] = netnses.map(() => [])
  for (let count = 0; count < total; count += hops.length) {
    const sent = count / hops.length
    const flow = Math.floor(sent / perFlow)
    for (const [index, [capture, interfaceIndex, type, ttl, source, destination]] of hops.entries()) {
      const ports = [1024 + (flow % 60_000), index < 2 ? 30_080 : 80] as const
      const none = Buffer.alloc(4)
      const fields = {
        source: bytesOf.get(source) ?? none,
        destination: bytesOf.get(destination) ?? none,
        ttl,
      }
      const micros = sent * 20 + index
      frames[capture]?.push({
        seconds: 1_800_000_000 + Math.floor(micros / 1e6),
        fraction: micros % 1e6,
        interfaceIndex,
        type,
        etherType: 0x0800,
        ip: ipPacket(
          protocol,
          { ...fields, identification: sent & 0xffff },
          body(flow, sent % perFlow, ports),
        ),
      })
    }
  }
  return frames.map((list) => writePcap(list))
}

/** Recordings of about the given number of packets: few connections, many connections, and equal datagrams. */
export const recordings: Readonly<Record<string, (packets: number) => Buffer[]>> = {
  'TCP, 20 packets a connection': (packets) =>
    record(
      packets,
      20,
      (flow, packet, ports) =>
        tcpSegment(
          ports,
          flow * 1000 + packet,
          0,
          packet === 0 ? 2 : 16,
          Buffer.alloc(packet === 0 ? 0 : 90),
        ),
      6,
    ),
  'SYN only': (packets) =>
    record(packets, 1, (flow, _, ports) => tcpSegment(ports, flow * 1000, 0, 2, Buffer.alloc(0)), 6),
  'UDP, each datagram the same': (packets) =>
    record(packets, 1, (_flow, _, ports) => udpDatagram(ports, Buffer.from('hello')), 17),
}

/** Parses recordings and joins their packets into flows. */
export function joinRecordings(files: readonly Buffer[]) {
  const captures = files.map((file, index): Capture => {
    return { netns: netnses[index] ?? '', packets: parsePcap(file).packets, interfaces }
  })
  return { flows: joinFlows(captures), packets: captures.reduce((sum, one) => sum + one.packets.length, 0) }
}
