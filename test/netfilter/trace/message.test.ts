import t from 'tap'
import { readTraceMessages } from '../../../src/netfilter/trace/message.js'

/** A SYN that a rule of the chain OUTPUT in table nat sends to KUBE-X, from Linux 6.18. */
const jump = Buffer.from(
  [
    'bc000000110a000000000000000000000200000008000f00000000020800040000000003080006003a35d7e60b000200',
    '4f55545055540000080001006e6174000c00030000000000000000031800050008000100fffffffd0b0002004b554245',
    '2d58000008000c000000000106000d0003040000180008004500003cef87400040063823000000000a09090918000900',
    'ac460050bb43258700000000a002ffd713400000080015000000000805001300000000000800120009380254',
  ].join(''),
  'hex',
)

t.test('a message has the rule, the verdict, the packet and its connection', async (t) => {
  const { messages, rest } = readTraceMessages(jump)
  t.equal(rest.length, 0)
  t.equal(messages.length, 1)
  t.match(messages[0], {
    ...{ id: 0x3a35d7e6, family: 'ip', table: 'nat', chain: 'OUTPUT', type: 'rule', handle: 3, mark: 0 },
    verdict: { kind: 'jump', chain: 'KUBE-X' },
    packet: {
      in: undefined,
      out: 1,
      header: {
        ...{ protocol: 'tcp', identification: 61319, ttl: 64 },
        source: { address: '0.0.0.0', port: 44102 },
        destination: { address: '10.9.9.9', port: 80 },
        tcp: { syn: true, ack: false, rst: false },
      },
      connection: { state: 'NEW', reply: false },
    },
  })
})

t.test('a message that is not complete is kept for the next call', async (t) => {
  for (const cut of [0, 3, 16, 40, jump.length - 1]) {
    const first = readTraceMessages(jump.subarray(0, cut))
    t.strictSame(first.messages, [])
    t.equal(first.rest.length, cut)
    t.equal(readTraceMessages(Buffer.concat([first.rest, jump.subarray(cut)])).messages.length, 1)
  }
})

t.test('messages of other types are skipped', async (t) => {
  const other = Buffer.alloc(20)
  other.writeUInt32LE(20, 0)
  other.writeUInt16LE((10 << 8) | 6, 4)
  t.equal(readTraceMessages(Buffer.concat([other, jump])).messages.length, 1)
})
