import { join } from 'node:path'
import { $ } from 'zx'
import { inOwnNetns, rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'
import type { SyncedRules } from '../workers/syncRules.js'

const syncWorker = new URL('../workers/syncNft.ts', import.meta.url)
const loadWorker = new URL('../workers/loadNft.ts', import.meta.url)
const [services, endpoints, changesEach] = [5000, 2, 8]

/** Mode nftables in a lab that is up: its first sync against `nft -f` alone, and one endpoint that changes. */
export const syncNft: Row = {
  name: 'sync-nft',
  skip: () => (rootless ? 'without root one commit takes no more than the socket buffer holds' : undefined),
  async measure(workspace) {
    const text = join(workspace.folder('nft'), 'table.nft')
    const [syncScript, loadScript] = [await workspace.bundle(syncWorker), await workspace.bundle(loadWorker)]
    const changes: number[] = []
    const syncOnce = async () => {
      await settled()
      const args = [syncScript, services, endpoints, changesEach, text]
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
    const what = '5,000 Services × 2 endpoints in nftables mode'
    return [
      { what: `${what}: first sync of a node`, unit: 'ms', measured, floor, bound: { ratio: 1.3 } },
      { what: `${what}: one endpoint changes`, unit: 'ms', measured: changes, bound: { most: 50 } },
    ]
  },
}
