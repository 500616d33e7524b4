import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WriteError } from '../errors.js'
import { startCapture, type RunningCapture } from '../host/capture.js'
import type { Sandbox } from '../host/sandbox.js'
import type { Capture } from '../packets/types.js'
import type { Topology } from '../topology/layOut.js'
import type { Place } from '../topology/types.js'

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
}

export interface CapturesOptions {
  readonly sandbox: Sandbox
  readonly topology: Topology
  /** Keep whole packets, and the captures until the end. */
  readonly whole: boolean
}

/** Starts the captures of a lab's places. */
export async function startCaptures({ sandbox, topology, whole }: CapturesOptions): Promise<Captures> {
  await sandbox.writeFiles([{ path: '/run/vethlab/pcap/README', text: 'One capture a namespace.\n' }])
  const running = new Map<string, RunningCapture>()
  let retired = new Set<string>()
  const start = async (places: readonly Place[]) => {
    const started = await Promise.all(places.map((place) => startCapture(sandbox, place, whole)))
    for (const capture of started) running.set(capture.netns, capture)
  }
  const outer = [...topology.nodes, ...topology.clients]
  const all = [...outer, ...topology.pods]
  await start(all.length <= capturedPlaces ? all : outer)
  return {
    async add(places) {
      if (running.size + places.length <= capturedPlaces) await start(places)
    },
    retire(places) {
      for (const { netns } of places) if (running.has(netns)) retired.add(netns)
    },
    async take(last = false) {
      const leaving = whole ? new Set<string>() : retired
      if (!whole) retired = new Set()
      const all = [...running.values()]
      for (const netns of leaving) running.delete(netns)
      return Promise.all(all.map((one) => one.take(last || leaving.has(one.netns))))
    },
    pidIn: (netns) => running.get(netns)?.pid,
    async copyTo(folder) {
      try {
        await mkdir(folder, { recursive: true })
        await Promise.all([...running.values()].map((one) => one.copyTo(join(folder, `${one.netns}.pcap`))))
      } catch (error) {
        throw new WriteError(`the captures to ${folder}`, error)
      }
    },
  }
}

/** For a lab that is only explored by hand. */
export const noCaptures: Captures = {
  add: () => Promise.resolve(),
  retire: () => undefined,
  take: () => Promise.resolve([]),
  pidIn: () => undefined,
  copyTo: () => Promise.resolve(),
}
