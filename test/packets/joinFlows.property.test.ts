import fc from 'fast-check'
import { deepStrictEqual } from 'node:assert/strict'
import t from 'tap'
import { socketText } from '../../src/net/socketText.js'
import { joinFlows } from './joinFlows.js'
import type { Flow, Hop } from '../../src/packets/types.js'
import { simulate, type Journey, type Router, type Truth } from './simulate.js'

const router: fc.Arbitrary<Router> = fc.record({
  bridges: fc.boolean(),
  dnat: fc.boolean(),
  snat: fc.boolean(),
})
const routers = fc.array(router, { maxLength: 4 })

function found(flows: readonly Flow[]): Truth[] {
  const hop = ({ netns, interface: name, direction, source, destination }: Hop) =>
    `${netns} ${name} ${direction} ${socketText(source)} ${socketText(destination)}`
  return flows.map(({ source, destination, hops, replyHops, nat }) => ({
    source,
    destination,
    hops: hops.map(hop),
    replyHops: replyHops.map(hop),
    nat: nat.map(({ kind, netns, from, to }) => `${kind} ${netns} ${socketText(from)} ${socketText(to)}`),
  }))
}

t.test('connections through the same routers, all at once', async (t) => {
  const journeys = routers.chain((routers) =>
    fc
      .array(
        fc.record({
          protocol: fc.constantFrom('tcp', 'udp', 'icmp'),
          droppedAt: fc.option(fc.nat(4), { nil: undefined }),
          refused: fc.boolean(),
          start: fc.nat(50),
          pace: fc.nat(3),
          identification: fc.nat(0xffff),
        }),
        { minLength: 1, maxLength: 12 },
      )
      .map((list) =>
        list.map((one, number): Journey => ({
          ...one,
          routers,
          droppedAt:
            one.droppedAt !== undefined && one.droppedAt < routers.length ? one.droppedAt : undefined,
          // With the same start time the order of flows would be undefined.
          start: one.start * 16 + number,
          sent: 1,
          sourcePort: 40_000 + number,
          sequence: 0xfffffffa + number,
          payload: number.toString(16).padStart(16, '0'),
        })),
      ),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(journeys, (journeys) => {
        const { captures, truths } = simulate(
          journeys.map((one) => ({ ...one, sequence: one.sequence >>> 0 })),
        )
        deepStrictEqual(found(joinFlows(captures)), truths)
        const outcomes = joinFlows(captures).map(({ outcome }) => outcome)
        const wanted = [...journeys].sort((a, b) => a.start - b.start)
        deepStrictEqual(
          outcomes,
          wanted.map(({ droppedAt, refused, protocol }) =>
            droppedAt !== undefined ? 'unanswered' : refused && protocol === 'tcp' ? 'refused' : 'answered',
          ),
        )
      }),
      { numRuns: 300 },
    ),
  )
})

t.test('equal packets, one connection after the other, from the same port', async (t) => {
  const cases = fc.record({
    routers,
    protocol: fc.constantFrom('tcp', 'udp'),
    count: fc.integer({ min: 1, max: 30 }),
    pace: fc.nat(2),
  })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(cases, ({ routers, protocol, count, pace }) => {
        const journeys = Array.from({ length: count }, (_, number): Journey => ({
          protocol,
          routers,
          refused: false,
          sent: 1,
          start: number * 500,
          pace,
          sourcePort: 40_000,
          // A new connection from the same port has another sequence number; datagrams may be identical.
          sequence: protocol === 'tcp' ? 1000 * number : 0,
          identification: 0,
          payload: '68656c6c6f',
        }))
        const { captures, truths } = simulate(journeys)
        deepStrictEqual(found(joinFlows(captures)), truths)
      }),
    ),
  )
})

t.test('a retransmitted request is one flow', async (t) => {
  const cases = fc.record({
    routers,
    sent: fc.integer({ min: 2, max: 4 }),
    identification: fc.constantFrom(0, 7),
  })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(cases, fc.constantFrom('tcp', 'udp'), ({ routers, sent, identification }, protocol) => {
        const { captures, truths } = simulate([
          {
            protocol,
            routers,
            sent,
            identification,
            refused: false,
            start: 0,
            pace: 1,
            sourcePort: 40_000,
            sequence: 5,
            payload: '68656c6c6f',
          },
        ])
        deepStrictEqual(found(joinFlows(captures)), truths, 'the path of the one that was answered')
      }),
    ),
  )
})

t.test('two connections with the same sequence number by chance', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(routers, fc.nat(200), fc.boolean(), (routers, gap, sameId) => {
        const journeys = [0, 1].map((number): Journey => ({
          protocol: 'tcp',
          routers: routers.map((one) => ({ ...one, dnat: one.dnat, snat: false })),
          refused: false,
          sent: 1,
          start: number * (gap + 1),
          pace: 5,
          sourcePort: 40_000 + number,
          sequence: 5,
          identification: sameId ? 0 : number + 1,
          payload: '',
        }))
        const { captures, truths } = simulate(journeys)
        deepStrictEqual(found(joinFlows(captures)), truths)
      }),
    ),
  )
})
