import t from 'tap'
import { connectionBook } from '../../../src/lab/pcap/connectionBook.js'
import { liveComments } from '../../../src/lab/pcap/liveComments.js'
import { joinConnections } from '../../../src/packets/flows.js'
import type { Capture, Packet } from '../../../src/packets/types.js'
import { recorded, recordedCases } from '../../packets/recordings.js'

interface Captured {
  readonly netns: string
  readonly packet: Packet
}

/** The packets of captures in order of time. */
function inOrder(captures: readonly Capture[]): Captured[] {
  return captures
    .flatMap(({ netns, packets }) => packets.map((packet) => ({ netns, packet })))
    .sort((a, b) => a.packet.time - b.packet.time)
}

/** A live capture that reports packets one at a time, and comments each `delay` seconds after it was captured. */
function live(captures: readonly Capture[], delay: number): (string | undefined)[] {
  const places = captures.map(({ netns, interfaces }) => ({
    kind: 'node' as const,
    ...{ name: netns, namespace: undefined, netns, node: netns },
    interfaces: new Map(interfaces),
  }))
  const comments = liveComments(places)
  const all = inOrder(captures)
  const found: (string | undefined)[] = []
  const release = (until: number) => {
    comments.join(until)
    for (const { packet } of all.slice(found.length)) {
      if (packet.time > until) break
      found.push(comments.commentOf(packet))
    }
  }
  for (const { netns, packet } of all) {
    comments.add(netns, packet)
    release(packet.time - delay)
  }
  release(Infinity)
  return found
}

for (const name of recordedCases())
  t.test(`${name}: a live capture has the comments of a file`, async (t) => {
    const captures = recorded(name)
    const book = connectionBook()
    book.know(joinConnections(captures), { goesOn: true })
    const ofFile = inOrder(captures).map(({ packet }) => book.commentOf(packet))
    t.ok(ofFile.some((comment) => comment?.startsWith('connection 1:') === true))
    t.strictSame(live(captures, 60), ofFile, 'when all packets are known')
    const numbers = (comments: readonly (string | undefined)[]) =>
      comments.map((comment) => comment?.slice(0, comment.indexOf(':')))
    t.strictSame(numbers(live(captures, 0.3)), numbers(ofFile), 'the same numbers after 0.3 s')
  })

t.test('an unanswered connection is not called unanswered while it can get a reply', async (t) => {
  const [first] = live(recorded('no-answer'), 0.3)
  t.equal(first, 'connection 1:')
})

t.test('a long UDP stream stays one connection, although its first packets are forgotten', async (t) => {
  const [capture] = recorded('udp')
  const packet = capture?.packets[0]
  if (capture === undefined || packet === undefined) throw new Error('the recording has no packets')
  const packets = Array.from({ length: 600 }, (_, index) => ({
    ...packet,
    time: packet.time + index / 10,
    identification: index + 1,
  }))
  const found = live([{ ...capture, packets }], 0.3)
  t.equal(found.length, packets.length)
  t.strictSame(new Set(found), new Set(['connection 1:']))
})

t.test('a port that is used again is another connection', async (t) => {
  const captures = recorded('nodeport-other-node')
  const later = captures.map((capture) => ({
    ...capture,
    packets: [...capture.packets, ...capture.packets.map((packet) => again(packet, 100))],
  }))
  const found = live(later, 0.3)
  const half = found.length / 2
  t.ok(found.slice(0, half).every((comment) => comment?.startsWith('connection 1:') === true))
  t.ok(found.slice(half).every((comment) => comment?.startsWith('connection 2:') === true))
})

/** The same packet of another connection with the same ports. */
function again(packet: Packet, seconds: number): Packet {
  const { tcp } = packet
  return {
    ...packet,
    time: packet.time + seconds,
    identification: packet.identification + 1,
    ...(tcp === undefined
      ? {}
      : { tcp: { ...tcp, sequence: tcp.sequence + 1000, acknowledgement: tcp.acknowledgement + 1000 } }),
  }
}
