import type { PlannedProcess, SandboxFile, Stage } from '../../topology/types.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { processesFrom, sendSignal } from '../sandbox/processTree.js'
import { acceptLargeInput } from './largeInput.js'
import { hasEnded, startProxy, type Rest, type RunningProxy } from './runningProxy.js'
import { untilReady, type Readiness } from './untilReady.js'
import { untilSynced, type AwaitedSync } from './untilSynced.js'

/** A kube-proxy binary running on every node. */
export interface RunningKubeProxies {
  /** Throws CommandError when one of them has ended. */
  check(): Promise<void>
  /** Resolves when the kube-proxy in a namespace has written the rules for a change. Throws CommandError if it ends. */
  synced(netns: string, awaited: AwaitedSync): Promise<void>
  /** Ends the kube-proxy in a namespace, and starts it again with these files; resolves as at the start. */
  restart(netns: string, files: readonly SandboxFile[], readiness: Readiness): Promise<void>
}

interface Followed {
  readonly proxy: RunningProxy
  readonly metrics: string | undefined
  /** Its state when it had nothing to do last; undefined without metrics. */
  rest: Rest | undefined
}

/**
 * Starts the kube-proxies of a stage, all nodes at once, and resolves when each has completed its first sync. Throws
 * CommandError, with the end of its log, for the first that ends or is too slow.
 */
export async function startKubeProxies(
  sandbox: Sandbox,
  iptables: Iptables,
  stage: Stage,
  readiness: (netns: string) => Readiness,
): Promise<RunningKubeProxies> {
  await Promise.all([sandbox.writeFiles(stage.files), acceptLargeInput(sandbox, iptables)])
  const running = new Map<string, Followed>()
  const start = async (planned: PlannedProcess, ready: Readiness) => {
    const proxy = startProxy(sandbox, planned)
    const followed: Followed = { proxy, metrics: ready.metrics, rest: undefined }
    running.set(planned.netns, followed)
    followed.rest = await untilReady(sandbox, iptables, proxy, ready)
  }
  await Promise.all((stage.processes ?? []).map((planned) => start(planned, readiness(planned.netns))))
  return {
    async check() {
      const gone = [...running.values()].find(({ proxy }) => proxy.state.ended)
      if (gone !== undefined) throw await hasEnded(sandbox, gone.proxy)
    },
    async synced(netns, awaited) {
      const found = running.get(netns)
      if (found === undefined) return
      found.rest = await untilSynced(sandbox, found.proxy, found.metrics, awaited, found.rest)
    },
    async restart(netns, files, ready) {
      const found = running.get(netns)
      if (found === undefined) return
      running.delete(netns)
      const { planned, command } = found.proxy
      // it may be a script that runs the kube-proxy
      for (const pid of processesFrom(command.pid() ?? -1)) sendSignal(pid, 'SIGKILL')
      await command.process
      await sandbox.writeFiles(files)
      await start(planned, ready)
    },
  }
}
