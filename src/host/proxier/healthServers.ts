import type { HealthServer } from '../../proxy/nodeHealth.js'
import { healthProcess } from '../../topology/healthServer.js'
import { filedProcess } from '../sandbox/pidFile.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** How long an nginx may take to end. */
const patienceMs = 30_000

/** The health servers of one node. */
export interface HealthServers {
  /** Serves exactly these from now on; resolves when answers are the new ones. */
  serve(servers: readonly HealthServer[]): Promise<void>
}

/** Takes over what the lab's plan started (generation 0); nothing was started for no servers. */
export function healthServersOf(
  sandbox: Sandbox,
  netns: string,
  started: readonly HealthServer[],
): HealthServers {
  let served = started
  let generation = 0
  let turn: Promise<void> = Promise.resolve()

  async function change(servers: readonly HealthServer[]): Promise<void> {
    if (JSON.stringify(servers) === JSON.stringify(served)) return
    const old = served.length === 0 ? undefined : healthProcess(netns, served, generation)
    if (servers.length > 0) {
      generation++
      const { file, argv } = healthProcess(netns, servers, generation)
      await sandbox.writeFiles([file])
      await sandbox.must('starting the health servers', argv)
    }
    served = servers
    if (old !== undefined) await end(sandbox, old.pidFile)
  }
  return {
    serve(servers) {
      const mine = turn.then(() => change(servers))
      // one that failed is told to who asked for it; the next one starts from what stands
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

/** Ends the process of a pid file and resolves when its sockets are closed. */
async function end(sandbox: Sandbox, pidFile: string): Promise<void> {
  const process = filedProcess(sandbox, pidFile)
  await process.signal('TERM')
  await process.ended(patienceMs)
}
