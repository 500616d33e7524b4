import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../../errors.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ModeEvidence } from '../proxier/liveMode.js'
import { frontendText, type Frontend } from './frontends.js'
import { logTail } from './logTail.js'
import { hasEnded, processesOf, type Rest, type RunningProxy } from './runningProxy.js'
import { getInside, readSyncMetrics } from './syncMetrics.js'

/** The conditions under which a kube-proxy is ready. */
export interface Readiness {
  readonly evidence: ModeEvidence
  readonly frontends: readonly Frontend[]
  /** `http://127.0.0.1:10256/healthz`; undefined where the configuration turns it off. */
  readonly healthz: string | undefined
  readonly metrics: string | undefined
  /** Time without another sync: a sync resets the counters of the rules that it writes. */
  readonly quietMs: number
  readonly patienceMs: number
}

/** Polling intervals: short at first, because a kube-proxy may be quick, then longer. */
const firstPollMs = 50
const slowestPollMs = 500

/**
 * Resolves when a kube-proxy has completed its first sync and is settled, with its state; undefined without metrics. Throws
 * CommandError if it ends or is too slow.
 */
export async function untilReady(
  sandbox: Sandbox,
  iptables: Iptables,
  proxy: RunningProxy,
  readiness: Readiness,
): Promise<Rest | undefined> {
  const { netns } = proxy.planned
  const start = performance.now()
  let syncs: { count: number | undefined; since: number } = { count: undefined, since: start }
  for (let wait = firstPollMs; ; wait = Math.min(wait * 1.5, slowestPollMs)) {
    const missing = await missingOf(sandbox, iptables, netns, readiness)
    // the end of the process may be the cause: report it instead
    if (proxy.state.ended) throw await hasEnded(sandbox, proxy)
    if (missing === undefined) {
      const count = (await readSyncMetrics(sandbox, netns, readiness.metrics))?.count
      if (count === undefined) return undefined
      if (count !== syncs.count) syncs = { count, since: performance.now() }
      if (performance.now() - syncs.since >= readiness.quietMs)
        return { count, processes: new Set(processesOf(proxy)) }
      wait = Math.min(wait, readiness.quietMs / 3)
    }
    if (performance.now() - start > readiness.patienceMs) throw notReady(sandbox, proxy, readiness, missing)
    await Promise.race([delay(wait), proxy.command.process])
  }
}

/** What is still missing, as a message; undefined if nothing is. */
async function missingOf(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  { evidence, frontends, healthz }: Readiness,
): Promise<string | undefined> {
  if (healthz !== undefined) {
    const { status } = await getInside(sandbox, netns, healthz)
    if (status !== 200) return status === 0 ? `${healthz} is not answered` : `${healthz} answers ${status}`
  }
  for (const family of new Set(frontends.map((frontend) => frontend.family))) {
    const wanted = frontends.filter((frontend) => frontend.family === family)
    const { stdout } = await sandbox.run(evidence.command(family, iptables), { netns })
    const isThere = evidence.read(stdout)
    const [first, ...more] = wanted.filter((frontend) => !isThere(frontend))
    if (first === undefined) continue
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    return `the kernel has nothing for ${frontendText(first)}${others}`
  }
  return undefined
}

function notReady(
  sandbox: Sandbox,
  { planned }: RunningProxy,
  { patienceMs }: Readiness,
  missing: string | undefined,
): CommandError {
  const { what, argv, netns, log } = planned
  return new CommandError({
    what,
    argv,
    netns,
    outcome: `is not ready after ${patienceMs / 1000} s: ${missing ?? 'it continues to sync'}`,
    stderr: logTail(sandbox, log),
  })
}
