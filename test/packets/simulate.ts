import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Capture, Packet } from '../../src/packets/types.js'

/** What one namespace on the path does to a packet. */
export interface Router {
  /** The packet enters through a port of one bridge and leaves through a port of another. */
  readonly bridges: boolean
  readonly dnat: boolean
  readonly snat: boolean
}

/** One connection or exchange to simulate. */
export interface Journey {
  readonly protocol: 'tcp' | 'udp' | 'icmp'
  readonly routers: readonly Router[]
  /** The router that drops the request, if any does. */
  readonly droppedAt?: number | undefined
  readonly refused: boolean
  /** How often the request is sent; all except the last are lost on the first link. */
  readonly sent: number
  /** Microseconds: the start time, and the duration of a step. */
  readonly start: number
  readonly pace: number
  readonly sourcePort: number
  readonly sequence: number
  readonly identification: number
  readonly payload: string
}

/** What joinFlows must find. */
export interface Truth {
  readonly source: SocketAddress
  readonly destination: SocketAddress
  readonly hops: readonly string[]
  readonly replyHops: readonly string[]
  readonly nat: readonly string[]
}

interface Event {
  readonly netns: string
  readonly interface: string
  readonly packet: Packet
}

interface Ends {
  readonly source: SocketAddress
  readonly destination: SocketAddress
}

const base = 1_800_000_000
const interfaces = ['lo', 'eth0', 'eth1', 'cni0', 'cni1'] as const

/** Simulates journeys through a chain of namespaces (client, r0, r1, …, server): the captures, and the expected flows. */
export function simulate(journeys: readonly Journey[]): { captures: Capture[]; truths: Truth[] } {
  const played = journeys.map(play)
  const events = played.flatMap((one) => one.events).sort((a, b) => a.packet.time - b.packet.time)
  const byNetns = new Map<string, Packet[]>()
  for (const { netns, packet } of events) byNetns.set(netns, [...(byNetns.get(netns) ?? []), packet])
  const names = new Map(interfaces.map((name, index) => [index + 1, name]))
  const captures = [...byNetns].map(([netns, packets]) => ({ netns, packets, interfaces: names }))
  const inTime = [...played].sort((a, b) => a.start - b.start)
  return { captures, truths: inTime.map(({ truth }) => truth) }
}

function play(journey: Journey, number: number): { events: Event[]; truth: Truth; start: number } {
  const { routers, droppedAt, sent, start, pace } = journey
  const port = (value: number) => (journey.protocol === 'icmp' ? {} : { port: value })
  const source = { address: '172.18.0.100', ...port(journey.sourcePort) }
  const called = { address: '172.18.0.2', ...port(30080) }
  const events: Event[] = []
  let clock = start
  let ttl = 64
  let ends: Ends = { source, destination: called }
  const hops: string[] = []
  const nat: string[] = []
  const passed: { router: Router; before: Ends; after: Ends; name: string }[] = []
  const see = (list: string[], make: MakePacket, netns: string, name: string, outgoing: boolean) => {
    const packet = make({ time: base + clock / 1e6, ends, ttl, name, outgoing })
    events.push({ netns, interface: name, packet })
    list.push(`${netns} ${name} ${outgoing ? 'out' : 'in'} ${text(ends.source)} ${text(ends.destination)}`)
    clock += pace
  }
  for (let lost = 1; lost < sent; lost += 1) {
    see([], requestPacket(journey), 'client', 'eth0', true)
    clock += 1_000_000
  }
  const ask = requestPacket(journey)
  see(hops, ask, 'client', 'eth0', true)
  for (const [index, router] of routers.entries()) {
    const netns = `r${index}`
    const before = ends
    if (router.bridges) {
      see(hops, ask, netns, 'eth0', false)
      see(hops, ask, netns, 'cni0', false)
    } else see(hops, ask, netns, 'eth0', false)
    if (droppedAt === index) return { events, truth: truthOf([]), start }
    ttl -= 1
    ends = rewrite(router, ends, index, number, port)
    if (router.dnat) nat.push(`DNAT ${netns} ${text(before.destination)} ${text(ends.destination)}`)
    if (router.snat) nat.push(`SNAT ${netns} ${text(before.source)} ${text(ends.source)}`)
    if (router.bridges) see(hops, ask, netns, 'cni1', true)
    see(hops, ask, netns, 'eth1', true)
    passed.push({ router, before, after: ends, name: netns })
  }
  see(hops, ask, 'server', 'eth0', false)
  ttl = 64
  ends = { source: ends.destination, destination: ends.source }
  const replyHops: string[] = []
  const answer = replyPacket(journey)
  see(replyHops, answer, 'server', 'eth0', true)
  for (const { router, before, name } of passed.toReversed()) {
    see(replyHops, answer, name, 'eth1', false)
    if (router.bridges) see(replyHops, answer, name, 'cni1', false)
    ttl -= 1
    ends = { source: before.destination, destination: before.source }
    if (router.bridges) see(replyHops, answer, name, 'cni0', true)
    see(replyHops, answer, name, 'eth0', true)
  }
  see(replyHops, answer, 'client', 'eth0', false)
  return { events, truth: truthOf(replyHops), start }

  function truthOf(replyHops: readonly string[]): Truth {
    return { source, destination: called, hops, replyHops, nat }
  }
}

type PortOf = (value: number) => { port?: number }

function rewrite({ dnat, snat }: Router, ends: Ends, index: number, number: number, port: PortOf): Ends {
  return {
    source: snat ? { address: `10.1.${index}.1`, ...port(20_000 + number * 7 + index) } : ends.source,
    destination: dnat ? { address: `10.2.${index}.5`, ...port(80 + index) } : ends.destination,
  }
}

interface Moment {
  readonly time: number
  readonly ends: Ends
  readonly ttl: number
  readonly name: string
  readonly outgoing: boolean
}

type MakePacket = (moment: Moment) => Packet

function common({ time, ends, ttl, name, outgoing }: Moment) {
  const interfaceIndex = interfaces.findIndex((one) => one === name) + 1
  const type = outgoing ? ('outgoing' as const) : ('host' as const)
  return { time, interfaceIndex, type, ...ends, ttl, length: 60 }
}

const noFlags = { syn: false, ack: false, fin: false, rst: false, psh: false }

function requestPacket({ protocol, sequence, identification, payload }: Journey): MakePacket {
  return (moment) => {
    const packet = { ...common(moment), protocol, identification }
    if (protocol === 'udp') return { ...packet, payload }
    if (protocol === 'tcp') {
      return { ...packet, payload: '', tcp: { ...noFlags, sequence, acknowledgement: 0, syn: true } }
    }
    return { ...packet, payload, icmp: { type: 8, code: 0, identifier: 7, sequence: sequence & 0xffff } }
  }
}

function replyPacket({ protocol, sequence, refused, payload }: Journey): MakePacket {
  return (moment) => {
    const packet = { ...common(moment), protocol, identification: 0 }
    if (protocol === 'udp') return { ...packet, payload: `aa${payload}` }
    if (protocol === 'icmp') {
      return { ...packet, payload, icmp: { type: 0, code: 0, identifier: 7, sequence: sequence & 0xffff } }
    }
    const flags = refused ? { rst: true } : { syn: true }
    const acknowledgement = (sequence + 1) >>> 0
    return { ...packet, payload: '', tcp: { ...noFlags, ...flags, ack: true, sequence: 99, acknowledgement } }
  }
}

function text({ address, port }: SocketAddress): string {
  return port === undefined ? address : `${address}:${port}`
}
