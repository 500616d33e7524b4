import { CommandError } from '../../errors.js'
import { captureFrames, type LiveCapture } from '../../host/capture/liveCapture.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { copiedInterfaces, linksOf, type Link, type LinkedPlace } from '../../lab/pcap/links.js'
import { linkTypes } from '../../packets/linkLayer.js'
import { mergeByTime } from '../../packets/mergeByTime.js'
import { packetReader } from '../../packets/pcap.js'
import { pcapngWriter } from '../../packets/pcapng.js'
import { recognizePackets } from '../../packets/samePackets.js'
import { packetSummary } from '../../packets/summary.js'
import type { Packet } from '../../packets/types.js'
import type { LivePacket, LivePackets } from './api.js'

/** The packets of a running lab, on the links of all its places. */
export interface PacketWatch {
  /** Captures at these places from now on, and at no others. Resolves when the captures have started. Throws CannotRunError. */
  watch(places: readonly LinkedPlace[]): Promise<void>
  /** The last packets of a link, in order of time; undefined if it is not watched. */
  packets(netns: string, device: string): readonly LivePacket[] | undefined
  /** The same as a pcapng file, with whole frames. */
  pcapng(netns: string, device: string): Buffer | undefined
  stop(): Promise<void>
}

/** Packets are reported this long after they were captured, in milliseconds: other places may report earlier ones. */
const mergeMs = 200
/** In one event; what comes more often than this cannot be followed by eye. */
const mostInEvent = 100
const mostOfLink = 500
const mostBytesOfLink = 1024 * 1024

interface Kept {
  readonly live: LivePacket
  readonly microseconds: number
  readonly frame: Buffer
  readonly originalLength: number
}

interface KeptLink {
  readonly link: Link
  kept: Kept[]
  bytes: number
}

type Seen = Omit<Kept, 'live'> & {
  readonly place: LinkedPlace
  readonly device: string
  readonly packet: Packet
}

/** Captures until `stop`; calls `onPackets` for the packets of each interval in which there were some. */
export function watchPackets(
  sandbox: Pick<Sandbox, 'start'>,
  onPackets: (packets: LivePackets) => void,
): PacketWatch {
  const running = new Map<string, { readonly key: string; readonly capture: LiveCapture }>()
  const links = new Map<string, KeptLink>()
  const recognize = recognizePackets()
  let next: LivePacket[] = []
  let left = 0
  const merge = mergeByTime<Seen>(({ place, device, packet, ...rest }) => {
    const live = livePacket(place.netns, device, packet, recognize)
    keep(links.get(`${place.netns}:${device}`), { live, ...rest })
    if (next.length < mostInEvent) next.push(live)
    else left++
  })
  const timer = setInterval(() => {
    merge.release((Date.now() - mergeMs) * 1000)
    if (next.length === 0) return
    onPackets({ packets: next, left })
    next = []
    left = 0
  }, mergeMs / 2)
  const start = (place: LinkedPlace, linkOf: ReturnType<typeof linksOf>) => {
    const without = copiedInterfaces(place, linkOf)
    const capture = captureFrames(
      sandbox,
      { netns: place.netns, filter: '', without },
      (bytes, record, file) => {
        const packet = packetReader(bytes, file)(record)
        const device = packet && place.interfaces.get(packet.interfaceIndex)
        if (packet === undefined || device === undefined || packet.type === 'otherhost') return
        const { start, end, originalLength } = record
        const microseconds = Math.round(packet.time * 1e6)
        const frame = Buffer.from(bytes.subarray(start, end))
        merge.add(microseconds, { place, device, packet, microseconds, frame, originalLength })
      },
    )
    return capture
  }
  const end = (netns: string) => {
    running.get(netns)?.capture.stop()
    running.delete(netns)
  }
  return {
    async watch(places) {
      const linkOf = linksOf(places, false)
      const keys = new Map(places.map((place) => [place.netns, keyOf(place, linkOf)]))
      for (const [netns, { key }] of running) if (keys.get(netns) !== key) end(netns)
      const shown = places.flatMap((place) =>
        [...place.interfaces].flatMap(([index, device]) => {
          const link = linkOf(place, index)
          return link === undefined ? [] : [[`${place.netns}:${device}`, link] as const]
        }),
      )
      const names = new Set<string>(shown.map(([name]) => name))
      for (const name of links.keys()) if (!names.has(name)) links.delete(name)
      for (const [name, link] of shown) if (!links.has(name)) links.set(name, { link, kept: [], bytes: 0 })
      const missing = places.filter(({ netns }) => !running.has(netns))
      const started = missing.map(async (place) => {
        const capture = start(place, linkOf)
        running.set(place.netns, { key: keys.get(place.netns) ?? '', capture })
        // a pod that is deleted meanwhile has no packets
        await capture.started.catch((error: unknown) => {
          if (!(error instanceof CommandError)) throw error
          end(place.netns)
        })
      })
      await Promise.all(started)
    },
    packets: (netns, device) => links.get(`${netns}:${device}`)?.kept.map(({ live }) => live),
    pcapng(netns, device) {
      const found = links.get(`${netns}:${device}`)
      return found && pcapngOf(found)
    },
    async stop() {
      clearInterval(timer)
      const captures = [...running.values()].map(({ capture }) => capture)
      captures.forEach((capture) => capture.stop())
      await Promise.all(captures.map(({ ended }) => ended))
    },
  }
}

/** A place with other interfaces needs another capture. */
function keyOf(place: LinkedPlace, linkOf: ReturnType<typeof linksOf>): string {
  return `${place.kind} ${copiedInterfaces(place, linkOf).join(' ')} / ${[...place.interfaces].join(' ')}`
}

function livePacket(
  netns: string,
  device: string,
  packet: Packet,
  recognize: ReturnType<typeof recognizePackets>,
): LivePacket {
  const { time, type, protocol, source, destination, length, tunnel } = packet
  return {
    ...{
      netns,
      protocol,
      source,
      destination,
      length,
      interface: device,
      time: Math.round(time * 1e6) / 1000,
    },
    direction: type === 'outgoing' ? 'out' : 'in',
    summary: packetSummary(packet),
    ...recognize(packet),
    ...(tunnel === undefined
      ? {}
      : { tunnel: { source: tunnel.source.address, destination: tunnel.destination.address } }),
  }
}

function keep(link: KeptLink | undefined, one: Kept): void {
  if (link === undefined) return
  link.kept.push(one)
  link.bytes += one.frame.length
  while (link.kept.length > mostOfLink || link.bytes > mostBytesOfLink) {
    const [first] = link.kept.splice(0, 1)
    link.bytes -= first?.frame.length ?? link.bytes
  }
}

function pcapngOf({ link, kept }: KeptLink): Buffer {
  const blocks: Buffer[] = []
  const writer = pcapngWriter((block) => blocks.push(block))
  const own = { ...link, linkType: linkTypes.LINUX_SLL2 }
  writer.declare(own)
  for (const { microseconds, frame, originalLength, live } of kept)
    writer.packet(own, { microseconds, frame, originalLength, direction: live.direction })
  return Buffer.concat(blocks)
}
