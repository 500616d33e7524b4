import { startCapture, type RunningCapture } from '../../host/capture/startCapture.js'
import { requireTools } from '../../host/environment.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { Capture } from '../../packets/types.js'
import type { PlaceCapture } from '../pcap/pcapngOf.js'
import type { Topology, Place } from '../../topology/types.js'

/** Beyond this many namespaces only nodes and clients are captured: their interfaces show the pods' packets too. */
const capturedPlaces = 40

/** The captures of a lab, one per namespace. */
export interface Captures {
  /** Starts captures in new places of the lab. */
  add(places: readonly Place[]): Promise<void>
  /** Marks places as removed: the next `take` returns their packets for the last time. */
  retire(places: readonly Place[]): void
  /** What each capture recorded since the last call. */
  take(): Promise<Capture[]>
  /** Ends them. */
  end(): void
  /** Pid of the tcpdump in a namespace, a process that runs as long as the lab. */
  pidIn(netns: string): number | undefined
  /** All captured packets of each place. */
  all(): Promise<PlaceCapture[]>
  /** Does work while packets of a topology's places are captured; captures that run all the time just continue. */
  during<Result>(topology: Topology, work: () => Promise<Result>): Promise<Result>
}

interface NamedCapture {
  readonly capture: RunningCapture
  readonly place: Place
  /** Its place is removed. */
  retired: boolean
}

export interface CapturesOptions {
  readonly sandbox: Sandbox
  readonly topology: Topology
  /** Keep whole packets, and the captures until the end. */
  readonly whole: boolean
  /** Whether a place is a proxy: the requests that it forwards are kept, too. */
  readonly isProxy: (place: Place) => boolean
}

/** Starts the captures of a lab's places. */
export async function startCaptures({
  sandbox,
  topology,
  whole,
  isProxy,
}: CapturesOptions): Promise<Captures> {
  await sandbox.writeFiles([{ path: '/run/vethlab/pcap/README', text: 'One capture per namespace.\n' }])
  let running: NamedCapture[] = []
  const started = new Map<string, number>()
  const start = async (places: readonly Place[]) => {
    const begun = await Promise.all(
      places.map(async (place) => {
        // a StatefulSet's pod can be created again under its name: each time gets its own file
        const life = (started.get(place.netns) ?? 0) + 1
        started.set(place.netns, life)
        const file = life === 1 ? place.netns : `${place.netns}.${life}`
        const keep = whole ? 'whole' : isProxy(place) ? 'requests' : 'headers'
        const capture = await startCapture(sandbox, { ...place, file }, keep)
        return { capture, place, retired: false }
      }),
    )
    running.push(...begun)
  }
  const outer = [...topology.nodes, ...topology.clients]
  const all = [...outer, ...topology.pods]
  await start(all.length <= capturedPlaces ? all : [...outer, ...topology.pods.filter(isProxy)])
  return {
    async add(places) {
      const room = running.length + places.length <= capturedPlaces
      await start(room ? places : places.filter(isProxy))
    },
    retire(places) {
      const gone = new Set(places.map(({ netns }) => netns))
      for (const one of running) if (gone.has(one.capture.netns)) one.retired = true
    },
    async take() {
      const all = running
      const leaving = new Set(whole ? [] : all.filter(({ retired }) => retired))
      running = all.filter((one) => !leaving.has(one))
      return Promise.all(
        all.map(async (one) => {
          const taken = await one.capture.take()
          if (leaving.has(one)) one.capture.end()
          return taken
        }),
      )
    },
    end: () => running.forEach(({ capture }) => capture.end()),
    pidIn: (netns) => running.find(({ capture }) => capture.netns === netns)?.capture.pid,
    all: () =>
      Promise.all(running.map(async ({ capture, place }) => ({ place, bytes: await capture.bytes() }))),
    during: (_, work) => work(),
  }
}

/** For a lab that is explored by hand: packets are captured only by `during`. */
export function capturesOnDemand(options: Omit<CapturesOptions, 'topology'>): Captures {
  let running: Captures | undefined
  let last: Promise<unknown> = Promise.resolve()
  const captured = async <Result>(topology: Topology, work: () => Promise<Result>) => {
    requireTools(['tcpdump'])
    const captures = await startCaptures({ ...options, topology })
    running = captures
    try {
      return await work()
    } finally {
      running = undefined
      captures.end()
    }
  }
  return {
    add: async (places) => running?.add(places),
    retire: (places) => running?.retire(places),
    take: async () => (await running?.take()) ?? [],
    end: () => running?.end(),
    pidIn: (netns) => running?.pidIn(netns),
    all: () => Promise.resolve([]),
    during(topology, work) {
      // the work of a command that was killed continues: another's would lose its captures when that ends
      const turn = last.then(() => captured(topology, work))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
