import { join } from 'node:path'
import { WriteError } from '../../errors.js'
import { makeFolderForCaller } from '../../host/callerFiles.js'
import { startCapture, type RunningCapture } from '../../host/capture.js'
import { requireTools } from '../../host/environment.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { Capture } from '../../packets/types.js'
import type { Topology, Place } from '../../topology/types.js'

/** Beyond this many namespaces only nodes and clients are captured: their interfaces show the pods' packets too. */
const capturedPlaces = 40

/** The captures of a lab, one a namespace. */
export interface Captures {
  /** Starts to capture in places that the lab has gained. */
  add(places: readonly Place[]): Promise<void>
  /** Says that places are gone: what was seen there is told once more. */
  retire(places: readonly Place[]): void
  /** What each has seen since the last call; with `last` they end. */
  take(last?: boolean): Promise<Capture[]>
  /** Pid of the tcpdump in a namespace: a process of the lab that is always there. */
  pidIn(netns: string): number | undefined
  /** Copies everything that was captured to files `<netns>.pcap` of a folder. Throws WriteError. */
  copyTo(folder: string): Promise<void>
  /** Does work while the places of a topology are captured; where captures run all the time, they just continue. */
  during<Result>(topology: Topology, work: () => Promise<Result>): Promise<Result>
}

interface NamedCapture {
  readonly capture: RunningCapture
  readonly file: string
  /** Its place is gone. */
  retired: boolean
}

export interface CapturesOptions {
  readonly sandbox: Sandbox
  readonly topology: Topology
  /** Keep whole packets, and the captures until the end. */
  readonly whole: boolean
  /** Whether a place is a proxy's: the requests that it passes on are kept, too. */
  readonly isProxy: (place: Place) => boolean
}

/** Starts the captures of a lab's places. */
export async function startCaptures({
  sandbox,
  topology,
  whole,
  isProxy,
}: CapturesOptions): Promise<Captures> {
  await sandbox.writeFiles([{ path: '/run/vethlab/pcap/README', text: 'One capture a namespace.\n' }])
  let running: NamedCapture[] = []
  const started = new Map<string, number>()
  const start = async (places: readonly Place[]) => {
    const begun = await Promise.all(
      places.map(async (place) => {
        // a StatefulSet's pod comes back under its name: each of its lives has a file of its own
        const life = (started.get(place.netns) ?? 0) + 1
        started.set(place.netns, life)
        const file = life === 1 ? place.netns : `${place.netns}.${life}`
        const keep = whole ? 'whole' : isProxy(place) ? 'requests' : 'headers'
        const capture = await startCapture(sandbox, { ...place, file }, keep)
        return { capture, file, retired: false }
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
    async take(last = false) {
      const all = running
      const leaves = (one: NamedCapture) => !whole && one.retired
      const leaving = new Set(all.filter(leaves))
      running = all.filter((one) => !leaving.has(one))
      return Promise.all(all.map((one) => one.capture.take(last || leaving.has(one))))
    },
    pidIn: (netns) => running.find(({ capture }) => capture.netns === netns)?.capture.pid,
    async copyTo(folder) {
      try {
        makeFolderForCaller(folder)
        await Promise.all(running.map(({ capture, file }) => capture.copyTo(join(folder, `${file}.pcap`))))
      } catch (error) {
        throw new WriteError(`the captures to ${folder}`, error)
      }
    },
    during: (_, work) => work(),
  }
}

/** For a lab that is explored by hand: nothing is captured, except by `during`. */
export function capturesOnDemand(options: Omit<CapturesOptions, 'topology'>): Captures {
  let running: Captures | undefined
  return {
    add: async (places) => running?.add(places),
    retire: (places) => running?.retire(places),
    take: async (last) => (await running?.take(last)) ?? [],
    pidIn: (netns) => running?.pidIn(netns),
    copyTo: () => Promise.resolve(),
    async during(topology, work) {
      requireTools(['tcpdump'])
      const captures = await startCaptures({ ...options, topology })
      running = captures
      try {
        return await work()
      } finally {
        running = undefined
        // the last step may have ended them already, and a sandbox that is gone has none
        await captures.take(true).catch(() => undefined)
      }
    },
  }
}
