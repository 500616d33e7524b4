import type { IpFamily } from '../../net/ipFamily.js'
import type { EchoPort, NginxPaths } from '../../topology/echoServer.js'
import { placeKey } from '../../topology/followPods.js'
import { echoServer, planEchoServers, type EchoPod, type EchoServer } from '../../topology/planEchoServers.js'
import type { Place } from '../../topology/types.js'
import { filedProcess, hasStarted, startDaemon } from '../sandbox/pidFile.js'
import { childrenOf } from '../sandbox/processTree.js'
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
  stop(): void
}

/** How often is looked for servers that have ended: their parent is the sandbox's first process, which does not report it. */
const lookEveryMs = 200

/** Manages the echo servers of a lab. */
export function createEchoServers({ sandbox, nginx, families }: EchoServersOptions): EchoServers {
  /** The ports of each generation, by pod. */
  const open = new Map<string, (readonly EchoPort[])[]>()
  const opened = (place: Place) => open.get(placeKey(place)) ?? []
  const serversOf = (place: Place): EchoServer[] =>
    opened(place).map((ports, generation) => echoServer({ place, ports }, families, nginx, generation))
  /** Pid files of servers that have started: another one may be that of an earlier pod with the same name. */
  const started = new Set<string>()
  const pidFilesOf = (place: Place) => serversOf(place).map(({ pidFile }) => pidFile)
  const adopt = (pods: readonly EchoPod[]) => {
    for (const { place, ports } of pods) {
      open.set(placeKey(place), ports.length === 0 ? [] : [ports])
      for (const file of pidFilesOf(place)) started.add(file)
    }
  }
  const watched = new Map<Place, () => void>()
  const hasEnded = (file: string) => {
    const server = filedProcess(sandbox, file)
    return started.has(file) && server.isFiled && !server.runs()
  }
  const daemons = watchChildren(sandbox, () => {
    for (const [place, onEnd] of [...watched]) {
      if (!pidFilesOf(place).some(hasEnded)) continue
      watched.delete(place)
      onEnd()
    }
  })

  async function openMore(place: Place, ports: readonly EchoPort[]): Promise<void> {
    const generations = opened(place)
    open.set(placeKey(place), [...generations, ports])
    const server = echoServer({ place, ports }, families, nginx, generations.length)
    await sandbox.writeFiles([server.file])
    await startDaemon(sandbox, `opening ports of pod ${place.name}`, server)
    started.add(server.pidFile)
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
      pidFiles: () => pidFilesOf(place),
      watch(onEnd) {
        watched.set(place, onEnd)
        daemons.lookAgain()
        return () => void watched.delete(place)
      },
      async start() {
        await Promise.all(
          serversOf(place).map((server) => startDaemon(sandbox, `restarting pod ${place.name}`, server)),
        )
      },
    }),
    forget(place) {
      watched.delete(place)
      for (const file of pidFilesOf(place)) started.delete(file)
      open.delete(placeKey(place))
    },
    stop: () => daemons.stop(),
  }
}

/** Calls `look` soon after a child of the sandbox's first process has ended, until `stop`, and once more after `lookAgain`. */
function watchChildren(sandbox: Sandbox, look: () => void): { lookAgain(): void; stop(): void } {
  let before: readonly number[] | undefined
  let timer: NodeJS.Timeout | undefined
  const compare = () => {
    const now = childrenOf(sandbox.pid)
    const running = new Set(now)
    // it always has one child, unless this kernel does not list them
    const isSame = now.length > 0 && before?.every((pid) => running.has(pid)) === true
    before = now
    if (!isSame && sandbox.alive()) look()
  }
  return {
    lookAgain() {
      before = undefined
      timer ??= setInterval(compare, lookEveryMs).unref()
    },
    stop: () => clearInterval(timer),
  }
}

function missing(ports: readonly EchoPort[], open: readonly EchoPort[]): EchoPort[] {
  return ports.filter(
    ({ port, protocol }) => !open.some((one) => one.port === port && one.protocol === protocol),
  )
}
