import { setTimeout as delay } from 'node:timers/promises'
import type { IpFamily } from '../../cluster/types.js'
import type { EchoPort, NginxPaths } from '../../topology/echoServer.js'
import { echoPidFile, planEchoServers, type EchoPod } from '../../topology/planEchoServers.js'
import type { Place } from '../../topology/types.js'
import { listensOn } from '../listening.js'
import { filedProcess } from '../pidFile.js'
import { runPlan } from '../runPlan.js'
import type { Sandbox } from '../sandbox.js'

/** Longest that an echo server may take to listen on new ports, and how often is looked. */
const patienceMs = 5000
const lookEveryMs = 2

export interface EchoServersOptions {
  readonly sandbox: Sandbox
  readonly nginx: NginxPaths
  readonly families: readonly IpFamily[]
}

/** The echo servers of a lab, and the ports on which each listens. */
export interface EchoServers {
  /** Knows of those that run already. */
  adopt(pods: readonly EchoPod[]): void
  start(pods: readonly EchoPod[]): Promise<void>
  /** Opens the ports that some have come to need. */
  follow(pods: readonly EchoPod[]): Promise<void>
  forget(place: Place): void
}

/** Looks after the echo servers: one that needs another port reads its configuration anew, and keeps its connections. */
export function createEchoServers({ sandbox, nginx, families }: EchoServersOptions): EchoServers {
  const open = new Map<string, readonly EchoPort[]>()
  const plan = (pods: readonly EchoPod[]) => planEchoServers(pods, families, nginx)

  const start = async (pods: readonly EchoPod[]) => {
    for (const { place, ports } of pods) open.set(echoPidFile(place), ports)
    await runPlan(sandbox, { stages: [plan(pods)] })
  }

  async function reload({ place, ports }: EchoPod, before: readonly EchoPort[]): Promise<void> {
    const all = [...before, ...missing(ports, before)]
    open.set(echoPidFile(place), all)
    await sandbox.writeFiles(plan([{ place, ports: all }]).files)
    const server = filedProcess(sandbox, echoPidFile(place))
    await server.signal('HUP')
    const deadline = Date.now() + patienceMs
    while (server.runs() && !listensOn(sandbox.path(`/proc/${server.pid}`), all) && Date.now() < deadline)
      await delay(lookEveryMs)
  }

  return {
    adopt(pods) {
      for (const { place, ports } of pods) open.set(echoPidFile(place), ports)
    },
    start,
    async follow(pods) {
      const known = pods.filter(({ place }) => open.has(echoPidFile(place)))
      const wanting = known.filter(
        ({ place, ports }) => missing(ports, open.get(echoPidFile(place))).length > 0,
      )
      const idle = wanting.filter(({ place }) => open.get(echoPidFile(place))?.length === 0)
      await Promise.all([
        idle.length === 0 ? undefined : start(idle),
        ...wanting
          .filter((pod) => !idle.includes(pod))
          .map((pod) => reload(pod, open.get(echoPidFile(pod.place)) ?? [])),
      ])
    },
    forget: (place) => void open.delete(echoPidFile(place)),
  }
}

function missing(ports: readonly EchoPort[], open: readonly EchoPort[] = []): EchoPort[] {
  return ports.filter(
    ({ port, protocol }) => !open.some((one) => one.port === port && one.protocol === protocol),
  )
}
