import type { Stage } from '../../topology/types.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { hasEnded, startProxy } from './runningProxy.js'
import { untilReady, type Readiness } from './untilReady.js'

/** A kube-proxy binary running on every node. */
export interface RunningKubeProxies {
  /** Throws CommandError when one of them has ended. */
  check(): Promise<void>
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
  await sandbox.writeFiles(stage.files)
  const running = (stage.processes ?? []).map((planned) => startProxy(sandbox, planned))
  await Promise.all(
    running.map((proxy) => untilReady(sandbox, iptables, proxy, readiness(proxy.planned.netns))),
  )
  return {
    async check() {
      const gone = running.find(({ state }) => state.ended)
      if (gone !== undefined) throw await hasEnded(sandbox, gone)
    },
  }
}
