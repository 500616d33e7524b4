import type { HealthServer } from '../../proxy/nodeHealth.js'
import { healthProcess } from '../../topology/healthServer.js'
import { filedProcess } from '../sandbox/pidFile.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** How long an nginx may take to end. */
const patienceMs = 30_000

/** The health servers of one node. */
export interface HealthServers {
  /** Replaces the servers; resolves when answers come from the new ones only. */
  serve(servers: readonly HealthServer[]): Promise<void>
}

/** Manages the health servers of a node, beginning with those that the plan started (generation 0); no process for none. */
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
      // the caller gets the error; the next change starts from the current state
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
