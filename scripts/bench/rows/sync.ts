import { join } from 'node:path'
import { $ } from 'zx'
import { inOwnNetns, rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'
import type { SyncedRules } from '../workers/syncRules.js'
import { writeRules } from '../writeRules.js'

const syncWorker = new URL('../workers/syncRules.ts', import.meta.url)
const loadWorker = new URL('../workers/loadRules.ts', import.meta.url)
const [services, endpoints, changesEach] = [5000, 2, 8]

/** A lab that is up: its first full sync against iptables-restore alone, and one endpoint that changes. */
export const sync: Row = {
  name: 'sync',
  // net.core.wmem_default bounds what iptables-nft can send in one piece there
  skip: () => (rootless ? 'without root one commit takes no more than about 500 rules' : undefined),
  async measure(workspace) {
    const text = join(workspace.folder('rules'), 'sync.txt')
    await writeRules(workspace, services, endpoints, text)
    const [syncScript, loadScript] = [await workspace.bundle(syncWorker), await workspace.bundle(loadWorker)]
    const changes: number[] = []
    const syncOnce = async () => {
      await settled()
      const args = [syncScript, services, endpoints, changesEach]
      const { stdout } = await $({ quiet: true })`${process.execPath} ${args}`
      const synced = JSON.parse(stdout) as SyncedRules
      changes.push(...synced.changes)
      return synced.first
    }
    const loadOnce = async () => {
      await settled()
      const { stdout } = await $({ quiet: true })`${inOwnNetns([process.execPath, loadScript, text])}`
      return Number(stdout)
    }
    const [measured = [], floor = []] = await inTurns(3, syncOnce, loadOnce)
    const what = '5,000 Services × 2 endpoints'
    return [
      { what: `${what}: first sync of a node`, unit: 'ms', measured, floor, bound: { ratio: 1.3 } },
      { what: `${what}: one endpoint changes`, unit: 'ms', measured: changes, bound: { most: 100 } },
    ]
  },
}
