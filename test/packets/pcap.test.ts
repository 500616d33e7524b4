import { deepStrictEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { InputError } from '../../src/errors.js'
import { parsePcap } from '../../src/packets/pcap.js'
import {
  be16,
  be32,
  icmpMessage,
  ipPacket,
  plainStyle,
  sctpPacket,
  tcpSegment,
  udpDatagram,
  writePcap,
  type Frame,
  type PcapStyle,
} from './writePcap.js'

const four = { source: Buffer.from([10, 244, 0, 9]), destination: Buffer.from([10, 96, 0, 21]), ttl: 63 }
const six = {
  source: Buffer.from('fd000244000000000000000000000009', 'hex'),
  destination: Buffer.from('fd000010009600000000000000000015', 'hex'),
  ttl: 62,
}

function frame(ip: Buffer, more: Partial<Frame> = {}): Frame {
  const etherType = (ip[0] ?? 0) >>> 4 === 6 ? 0x86dd : 0x0800
  return { seconds: 1_800_000_000, fraction: 5, interfaceIndex: 2, type: 0, etherType, ip, ...more }
}

function only(ip: Buffer) {
  const { packets } = parsePcap(writePcap([frame(ip)]))
  const [packet] = packets
  if (packet === undefined || packets.length > 1) throw new Error(`${packets.length} packets were read`)
  return packet
}

t.test('a recorded capture', async (t) => {
  const { packets, linkType } = parsePcap(readFileSync('test/golden/pcap/nodeport-other-node/node-a.pcap'))
  t.equal(linkType, 276)
  const [first, second] = packets
  t.match(first, {
    type: 'host',
    protocol: 'tcp',
    source: { address: '172.18.0.100' },
    destination: { address: '172.18.0.2', port: 30082 },
    ttl: 64,
    length: 60,
    tcp: { syn: true, ack: false, rst: false },
  })
  t.match(second, { type: 'outgoing', destination: { address: '10.244.1.5', port: 80 }, ttl: 63 })
  t.equal(second?.tcp?.sequence, first?.tcp?.sequence, 'NAT does not change the sequence number')
})

t.test('protocols', async (t) => {
  const udp = udpDatagram([53_000, 53], Buffer.from('hello'))
  t.match(only(ipPacket(17, { ...four, identification: 77, options: 3 }, udp)), {
    protocol: 'udp',
    source: { address: '10.244.0.9', port: 53_000 },
    destination: { address: '10.96.0.21', port: 53 },
    identification: 77,
    ttl: 63,
    payload: Buffer.from('hello').toString('hex'),
  })
  t.match(only(ipPacket(132, four, sctpPacket([9, 3868], Buffer.from([1, 0, 0, 4])))), {
    protocol: 'sctp',
    destination: { port: 3868 },
    payload: '01000004',
  })
  const echo = icmpMessage(8, 0, Buffer.concat([be16(7), be16(3), Buffer.from('abcdefgh')]))
  t.match(only(ipPacket(1, four, echo)), { protocol: 'icmp', icmp: { type: 8, identifier: 7, sequence: 3 } })
  t.same(only(ipPacket(1, four, echo)).source, { address: '10.244.0.9' }, 'ICMP has no ports')
  t.match(only(ipPacket(89, four, Buffer.alloc(20))), {
    protocol: 'other',
    source: { address: '10.244.0.9' },
  })
  t.match(only(ipPacket(17, { ...six, extensions: [0, 60, 43, 51, 44, 135] }, udp)), {
    protocol: 'udp',
    source: { address: 'fd00:244::9', port: 53_000 },
    destination: { address: 'fd00:10:96::15', port: 53 },
    identification: 0,
  })
})

t.test('an ICMP error quotes the packet that caused it', async (t) => {
  const syn = tcpSegment([40_000, 80], 0xfffffffe, 0, 2, Buffer.alloc(0))
  const about = ipPacket(6, { ...four, identification: 5 }, syn)
  for (const cut of [about.length, 28]) {
    const error = icmpMessage(3, 3, Buffer.concat([be32(0), about.subarray(0, cut)]))
    t.match(only(ipPacket(1, { ...four, source: four.destination, destination: four.source }, error)).icmp, {
      type: 3,
      code: 3,
      quoted: {
        protocol: 'tcp',
        source: { address: '10.244.0.9', port: 40_000 },
        destination: { address: '10.96.0.21', port: 80 },
        identification: 5,
        sequence: 0xfffffffe,
      },
    })
  }
  const echo = ipPacket(58, six, icmpMessage(128, 0, Buffer.concat([be16(7), be16(3)])))
  const error = only(ipPacket(58, six, icmpMessage(1, 0, Buffer.concat([be32(0), echo]))))
  t.match(error.icmp, { quoted: { protocol: 'icmpv6', identifier: 7, sequence: 3 } })
})

t.test('only the first fragment has ports', async (t) => {
  const data = Buffer.alloc(24, 0x41)
  t.match(only(ipPacket(17, { ...four, fragmentOffset: 0x2000 }, udpDatagram([9, 53], data))).source, {
    port: 9,
  })
  t.same(only(ipPacket(17, { ...four, fragmentOffset: 3 }, data)).source, { address: '10.244.0.9' })
  t.match(only(ipPacket(17, { ...six, extensions: [44] }, udpDatagram([9, 53], data))).source, { port: 9 })
  t.same(only(ipPacket(17, { ...six, extensions: [44], fragmentOffset: 3 }, data)).source, {
    address: 'fd00:244::9',
  })
})

t.test('truncated and damaged files', async (t) => {
  const whole = writePcap([
    frame(ipPacket(17, four, udpDatagram([1, 2], Buffer.from('a')))),
    frame(ipPacket(17, four, udpDatagram([3, 4], Buffer.from('b')))),
  ])
  const record = (whole.length - 24) / 2
  const ends = Array.from({ length: whole.length - 24 }, (_, index) => 24 + index)
  t.same(
    ends.map((end) => [end, parsePcap(whole.subarray(0, end)).packets.length]),
    ends.map((end) => [end, Math.floor((end - 24) / record)]),
    'the packets that are whole are read, wherever the file ends',
  )
  const fails = (data: Uint8Array, message: RegExp) =>
    t.throws(() => parsePcap(data), { constructor: InputError, message })
  fails(whole.subarray(0, 23), /it has 23 bytes/)
  fails(new Uint8Array(0), /it has 0 bytes/)
  fails(Buffer.from('0a0d0d0a'.padEnd(64, '0'), 'hex'), /pcapng/)
  fails(Buffer.alloc(64, 7), /starts with 07070707/)
  const otherLink = Buffer.from(whole)
  otherLink.writeUInt32LE(105, 20)
  fails(otherLink, /link type 105/)
  const wild = Buffer.from(whole)
  wild.writeUInt32LE(0x7fffffff, 24 + 8)
  fails(wild, /record at byte 24 has a length of 2147483647 bytes/)
})

const word = fc.nat(0xffffffff)
const port = fc.nat(0xffff)
const address = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
)
const style: fc.Arbitrary<PcapStyle> = fc.record({
  littleEndian: fc.boolean(),
  nanoseconds: fc.boolean(),
  link: fc.constantFrom('LINUX_SLL2', 'LINUX_SLL', 'EN10MB'),
  vlanTags: fc.array(fc.constantFrom(0x8100, 0x88a8), { maxLength: 2 }),
})
const segment = fc.record({
  seconds: fc.nat(0x7fffffff),
  fraction: fc.nat(999_999),
  interfaceIndex: fc.nat(1000),
  type: fc.nat(4),
  source: address,
  ttl: fc.nat(255),
  identification: fc.nat(0xffff),
  options: fc.nat(10),
  extensions: fc.array(fc.constantFrom(0, 43, 60, 51), { maxLength: 3 }),
  sourcePort: port,
  destinationPort: port,
  sequence: word,
  acknowledgement: word,
  flags: fc.nat(31),
  payload: fc.uint8Array({ maxLength: 100 }),
})

t.test('parsing a written file returns the same packets', async (t) => {
  const types = ['host', 'broadcast', 'multicast', 'otherhost', 'outgoing']
  fc.assert(
    fc.property(style, fc.array(segment, { maxLength: 5 }), (style, segments) => {
      const frames = segments.map((one) => {
        const source = Buffer.from(one.source)
        const { sourcePort, destinationPort, sequence, acknowledgement, flags } = one
        const ports = [sourcePort, destinationPort] as const
        const tcp = tcpSegment(ports, sequence, acknowledgement, flags, Buffer.from(one.payload))
        return frame(ipPacket(6, { ...one, source, destination: Buffer.from(source).reverse() }, tcp), one)
      })
      const { packets } = parsePcap(writePcap(frames, style))
      equal(packets.length, segments.length)
      for (const [index, one] of segments.entries()) {
        const packet = packets[index]
        const isSixth = one.source.length === 16
        const cooked = style.link === 'LINUX_SLL2'
        const at = one.seconds + one.fraction * (style.nanoseconds ? 1e-9 : 1e-6)
        const seen = {
          time: packet?.time,
          interfaceIndex: packet?.interfaceIndex,
          ttl: packet?.ttl,
          identification: packet?.identification,
          ports: [packet?.source.port, packet?.destination.port],
          tcp: packet?.tcp,
          payload: packet?.payload,
          ...(style.link === 'EN10MB' ? {} : { type: packet?.type }),
        }
        deepStrictEqual(seen, {
          time: at,
          interfaceIndex: cooked ? one.interfaceIndex : 0,
          ttl: one.ttl,
          identification: isSixth ? 0 : one.identification,
          ports: [one.sourcePort, one.destinationPort],
          tcp: {
            sequence: one.sequence,
            acknowledgement: one.acknowledgement,
            syn: (one.flags & 2) !== 0,
            ack: (one.flags & 16) !== 0,
            fin: (one.flags & 1) !== 0,
            rst: (one.flags & 4) !== 0,
            psh: (one.flags & 8) !== 0,
          },
          payload: Buffer.from(one.payload).subarray(0, 64).toString('hex'),
          ...(style.link === 'EN10MB' ? {} : { type: types[one.type] }),
        })
      }
    }),
  )
  t.pass('all samples')
})

t.test('any bytes either parse or fail with an InputError', async (t) => {
  const header = writePcap([])
  const garbage = fc.uint8Array({ maxLength: 300, size: 'max' })
  const sliced = fc.array(
    fc.tuple(fc.constantFrom(0x0800, 0x86dd), garbage, fc.constantFrom(0x45, 0x4f, 0x60)),
  )
  const started = sliced.map((list) =>
    writePcap(
      list.map(([etherType, body, first]) => frame(Buffer.from([first, ...body]), { etherType })),
      plainStyle,
    ),
  )
  const headed = garbage.map((bytes) => Buffer.concat([header, bytes]))
  let packets = 0
  fc.assert(
    fc.property(fc.oneof(garbage, headed, started), (bytes) => {
      try {
        packets += parsePcap(bytes).packets.length
      } catch (error) {
        if (!(error instanceof InputError)) throw error
      }
    }),
    { numRuns: 1000 },
  )
  t.ok(packets > 0, 'some random bytes were parsed as packets')
})
