import type { HealthServer } from '../../agents/kubeProxy/nodeHealth.js'
import { healthProcess } from '../../topology/healthServer.js'
import { filedProcess, startDaemon } from '../sandbox/pidFile.js'
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
      const server = healthProcess(netns, servers, generation)
      await sandbox.writeFiles([server.file])
      await startDaemon(sandbox, 'starting the health servers', server)
    }
    served = servers
    // its sockets are closed then
    if (old !== undefined) await filedProcess(sandbox, old.pidFile).end('TERM', patienceMs)
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
