import t from 'tap'
import { packetSummary } from '../../src/packets/summary.js'
import type { Packet } from '../../src/packets/types.js'

const packet: Packet = {
  ...{ time: 0, interfaceIndex: 2, type: 'host', protocol: 'tcp', ttl: 64, identification: 0, length: 60 },
  ...{ source: { address: '10.0.0.1' }, destination: { address: '10.0.0.2' }, payload: '' },
}
const tcp = {
  ...{ sequence: 0, acknowledgement: 0, syn: false, ack: true, fin: false, rst: false, psh: false },
}
const hex = (text: string) => Buffer.from(text).toString('hex')

t.test('a packet in a few words', async (t) => {
  const cases: (readonly [Partial<Packet>, string])[] = [
    [{ tcp: { ...tcp, syn: true, ack: false } }, 'SYN'],
    [{ tcp: { ...tcp, syn: true } }, 'SYN ACK'],
    [{ tcp: { ...tcp, rst: true } }, 'RST ACK'],
    [{ tcp: { ...tcp, psh: true }, request: { method: 'GET', target: '/a', headers: {} } }, 'GET /a'],
    [{ tcp: { ...tcp, psh: true }, payload: hex('HTTP/1.1 200 OK\r\nserver: x') }, 'HTTP/1.1 200 OK'],
    [{ protocol: 'icmp', icmp: { type: 8, code: 0 } }, 'echo request'],
    [{ protocol: 'icmp', icmp: { type: 3, code: 3 } }, 'port unreachable'],
    [{ protocol: 'icmp', icmp: { type: 3, code: 9 } }, 'destination unreachable'],
    [{ protocol: 'icmpv6', icmp: { type: 135, code: 0 } }, 'neighbor solicitation'],
    [{ protocol: 'icmpv6', icmp: { type: 200, code: 1 } }, 'type 200 code 1'],
    [{ protocol: 'udp' }, 'datagram'],
    [{ protocol: 'sctp' }, 'sctp'],
  ]
  for (const [given, text] of cases) t.equal(packetSummary({ ...packet, ...given }), text)
})
