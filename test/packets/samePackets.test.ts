import t from 'tap'
import { recognizePackets } from '../../src/packets/samePackets.js'
import type { Packet } from '../../src/packets/types.js'

const tcp = {
  ...{ sequence: 7, acknowledgement: 0, syn: true, ack: false, fin: false, rst: false, psh: false },
}
const syn: Packet = {
  ...{
    time: 100,
    interfaceIndex: 2,
    type: 'outgoing',
    protocol: 'tcp',
    ttl: 64,
    identification: 9,
    length: 60,
  },
  ...{
    source: { address: '172.18.1.2', port: 40_000 },
    destination: { address: '172.18.0.2', port: 30_080 },
  },
  ...{ tcp, payload: '' },
}

t.test(
  'a packet is the same after NAT, and what was rewritten is that since it was first seen',
  async (t) => {
    const recognize = recognizePackets()
    const dnat = { ...syn, time: 100.001, ttl: 63, destination: { address: '10.244.2.2', port: 80 } }
    const both = { ...dnat, source: { address: '172.18.0.2', port: 1024 } }
    t.strictSame(recognize(syn), { packet: '1', rewritten: [] })
    t.strictSame(recognize(dnat), { packet: '1', rewritten: ['destination'] })
    t.strictSame(recognize(both), { packet: '1', rewritten: ['source', 'destination'] })
  },
)

t.test('other packets of a connection are others', async (t) => {
  const recognize = recognizePackets()
  const others: Packet[] = [
    syn,
    { ...syn, identification: 10 },
    { ...syn, tcp: { ...tcp, sequence: 8 } },
    { ...syn, tcp: { ...tcp, ack: true } },
    { ...syn, payload: '00' },
    { ...syn, protocol: 'udp' },
    { ...syn, time: 106 },
  ]
  t.strictSame(
    others.map((one) => recognize(one).packet),
    ['1', '2', '3', '4', '5', '6', '7'],
  )
})

t.test('equal packets of several hosts to a group are not one that was rewritten', async (t) => {
  const recognize = recognizePackets()
  const { tcp: _tcp, ...rest } = syn
  const icmp = { type: 133, code: 0 }
  const solicitation = (address: string): Packet => ({
    ...{ ...rest, protocol: 'icmpv6', icmp, identification: 0 },
    source: { address },
    destination: { address: 'ff02::2' },
  })
  t.strictSame(recognize(solicitation('fe80::1')), { packet: '1', rewritten: [] })
  t.strictSame(recognize(solicitation('fe80::2')), { packet: '2', rewritten: [] })
  t.strictSame(recognize(solicitation('fe80::1')), { packet: '1', rewritten: [] }, 'seen at another place')
})
