import t from 'tap'
import { parsePcap } from '../../src/packets/pcap.js'
import { be16, be32, ipPacket, tcpSegment, udpDatagram, writePcap } from './writePcap.js'

const nodes = { source: Buffer.from([172, 18, 0, 2]), destination: Buffer.from([172, 18, 0, 3]), ttl: 64 }
const pods = { source: Buffer.from([10, 244, 1, 2]), destination: Buffer.from([10, 244, 2, 2]), ttl: 63 }
const syn = ipPacket(6, { ...pods, identification: 7 }, tcpSegment([40_000, 80], 5, 0, 2, Buffer.alloc(0)))

interface Outer {
  readonly port?: number
  readonly flags?: number
  readonly etherType?: number
}

function vxlan(inner: Buffer, { port = 8472, flags = 0x0800_0000, etherType = 0x0800 }: Outer = {}): Buffer {
  const frame = Buffer.concat([Buffer.alloc(12, 10), be16(etherType), inner])
  return udpDatagram([55_555, port], Buffer.concat([be32(flags), be32(1 << 8), frame]))
}

function read(ip: Buffer) {
  const frame = { seconds: 1, fraction: 0, interfaceIndex: 100, type: 4, etherType: 0x0800, ip }
  const { packets } = parsePcap(writePcap([frame]))
  t.equal(packets.length, 1)
  return packets[0]
}

t.test('a packet in a tunnel is read as the inner packet, on the outer interface', async (t) => {
  for (const port of [8472, 4789])
    t.match(read(ipPacket(17, nodes, vxlan(syn, { port }))), {
      ...{ interfaceIndex: 100, type: 'outgoing', protocol: 'tcp', ttl: 63, identification: 7, length: 40 },
      source: { address: '10.244.1.2', port: 40_000 },
      destination: { address: '10.244.2.2', port: 80 },
      tcp: { syn: true, sequence: 5 },
      tunnel: {
        ...{ protocol: 'vxlan', vni: 1 },
        source: { address: '172.18.0.2', port: 55_555 },
        destination: { address: '172.18.0.3', port },
      },
    })
})

t.test('other and damaged packets are read as plain datagrams', async (t) => {
  const cut = (bytes: number) => vxlan(syn).subarray(0, bytes)
  const others = {
    'another port': vxlan(syn, { port: 53 }),
    'without the flag': vxlan(syn, { flags: 0 }),
    'more flags': vxlan(syn, { flags: 0x0c00_0000 }),
    'ARP inside': vxlan(syn, { etherType: 0x0806 }),
    'cut in the VXLAN header': cut(12),
    'cut in the frame': cut(24),
    'cut in the IP header': cut(40),
  }
  for (const [name, datagram] of Object.entries(others)) {
    const packet = read(ipPacket(17, nodes, datagram))
    t.match(packet, { protocol: 'udp', source: { address: '172.18.0.2', port: 55_555 } }, name)
    t.equal(packet?.tunnel, undefined)
  }
  const later = read(ipPacket(17, { ...nodes, fragmentOffset: 2 }, vxlan(syn)))
  t.equal(later?.tunnel, undefined, 'a later fragment has no header')
})
