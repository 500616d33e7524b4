import type { IpFamily } from '../../net/ipFamily.js'
import type { EchoPort, NginxPaths } from '../../topology/echoServer.js'
import { placeKey } from '../../topology/followPods.js'
import { echoServer, planEchoServers, type EchoPod, type EchoServer } from '../../topology/planEchoServers.js'
import type { Place } from '../../topology/types.js'
import { hasStarted, startDaemon } from '../sandbox/pidFile.js'
import { runStages } from '../sandbox/runPlan.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { EchoProcess } from './types.js'

export interface EchoServersOptions {
  readonly sandbox: Sandbox
  readonly nginx: NginxPaths
  readonly families: readonly IpFamily[]
}

/** The echo servers of a lab, and the ports on which each listens. */
export interface EchoServers {
  /** Registers servers that already run. */
  adopt(pods: readonly EchoPod[]): void
  start(pods: readonly EchoPod[]): Promise<void>
  /** Opens additional ports that pods now need; an open port stays open. */
  follow(pods: readonly EchoPod[]): Promise<void>
  of(place: Place): EchoProcess
  forget(place: Place): void
}

/** Manages the echo servers of a lab. */
export function createEchoServers({ sandbox, nginx, families }: EchoServersOptions): EchoServers {
  /** The ports of each generation, by pod. */
  const open = new Map<string, (readonly EchoPort[])[]>()
  const opened = (place: Place) => open.get(placeKey(place)) ?? []
  const serversOf = (place: Place): EchoServer[] =>
    opened(place).map((ports, generation) => echoServer({ place, ports }, families, nginx, generation))
  const adopt = (pods: readonly EchoPod[]) => {
    for (const { place, ports } of pods) open.set(placeKey(place), ports.length === 0 ? [] : [ports])
  }

  async function openMore(place: Place, ports: readonly EchoPort[]): Promise<void> {
    const generations = opened(place)
    open.set(placeKey(place), [...generations, ports])
    const server = echoServer({ place, ports }, families, nginx, generations.length)
    await sandbox.writeFiles([server.file])
    await startDaemon(sandbox, `opening ports of pod ${place.name}`, server)
  }

  return {
    adopt,
    async start(pods) {
      adopt(pods)
      await runStages(sandbox, [planEchoServers(pods, families, nginx)])
      const started = pods.flatMap(({ place }) => serversOf(place))
      await Promise.all(started.map(({ pidFile }) => hasStarted(sandbox, pidFile)))
    },
    async follow(pods) {
      // a pod that is still being created gets its ports when it starts
      const wanting = pods
        .filter(({ place }) => open.has(placeKey(place)))
        .map(({ place, ports }) => ({ place, ports: missing(ports, opened(place).flat()) }))
      await Promise.all(
        wanting.flatMap(({ place, ports }) => (ports.length === 0 ? [] : [openMore(place, ports)])),
      )
    },
    of: (place) => ({
      pidFiles: () => serversOf(place).map(({ pidFile }) => pidFile),
      async start() {
        await Promise.all(
          serversOf(place).map((server) => startDaemon(sandbox, `restarting pod ${place.name}`, server)),
        )
      },
    }),
    forget: (place) => void open.delete(placeKey(place)),
  }
}

function missing(ports: readonly EchoPort[], open: readonly EchoPort[]): EchoPort[] {
  return ports.filter(
    ({ port, protocol }) => !open.some((one) => one.port === port && one.protocol === protocol),
  )
}
