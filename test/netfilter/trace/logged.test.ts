import t from 'tap'
import { loggingRequests } from '../../../src/netfilter/trace/logged.js'
import { readTraceMessages } from '../../../src/netfilter/trace/message.js'
import { netlinkAttributes, netlinkMessages } from '../../../src/netfilter/trace/netlink.js'

/** A SYN that rule 1 of INPUT accepts, from Linux 6.18 with iptables-legacy. */
const rule = Buffer.from(
  [
    'cc00000000040000000000000000000002000000080001000800010020000a0054524143453a2066696c7465723a494e',
    '5055543a72756c653a31200008000400000000011000080000060000000000000000000006000f000304000006001100',
    '000e0000120010000000000000000000000000000800000014000300000000006b0512150000000000022d2640000900',
    '4500003c25ac40004006170e7f0000017f0000018afe0050f583054b00000000a002ffd7fe3000000204ffd70402080a',
    'c2026b56000000000103030a',
  ].join(''),
  'hex',
)

t.test('a logged rule has its position and the packet', async (t) => {
  const { messages, error, rest } = readTraceMessages(rule)
  t.equal(rest.length, 0)
  t.equal(error, undefined)
  t.match(messages, [
    {
      ...{ id: undefined, family: 'ip', table: 'filter', chain: 'INPUT', type: 'rule', number: 1, mark: 0 },
      handle: undefined,
      packet: {
        header: {
          ...{ protocol: 'tcp', identification: 0x25ac, ttl: 64 },
          source: { address: '127.0.0.1', port: 35582 },
          destination: { address: '127.0.0.1', port: 80 },
          tcp: { syn: true, ack: false, rst: false, sequence: 0xf583054b },
        },
      },
    },
  ])
})

t.test('the end of a chain has a position too', async (t) => {
  const policy = Buffer.from(rule)
  // as long as before: a chain name of one letter less
  policy.write('TRACE: filter:INP:policy:1 ', policy.indexOf('TRACE'))
  t.match(readTraceMessages(policy).messages, [{ type: 'policy', chain: 'INP', number: 1 }])
})

t.test('packets that the target LOG logs are left out', async (t) => {
  const logged = Buffer.from(rule)
  logged.write('DROPPED filter:INPUT:rule:1 ', logged.indexOf('TRACE'))
  t.strictSame(readTraceMessages(logged).messages, [])
})

t.test('an error that the kernel answers with is reported', async (t) => {
  const busy = Buffer.alloc(36)
  busy.writeUInt32LE(busy.length)
  busy.writeUInt16LE(2, 4)
  busy.writeInt32LE(-16, 16)
  t.equal(readTraceMessages(Buffer.concat([rule, busy])).error, 16)
  // an acknowledgement is an error with the number 0
  busy.writeInt32LE(0, 16)
  t.equal(readTraceMessages(busy).error, undefined)
})

t.test('requests bind both families and group 0, and copy the start of packets', async (t) => {
  const { messages, rest } = netlinkMessages(loggingRequests)
  t.equal(rest.length, 0)
  t.strictSame(
    messages.map(({ type, body }) => [type, body[0]]),
    [
      [0x401, 2],
      [0x401, 10],
      [0x401, 0],
    ],
  )
  const given = messages.map(({ body }) => netlinkAttributes(body.subarray(4)))
  t.strictSame(
    given.map((all) => all.get(1)?.[0]),
    [3, 3, 1],
  )
  t.strictSame(given[2]?.get(2), Buffer.of(0, 0, 0, 128, 2, 0))
})
