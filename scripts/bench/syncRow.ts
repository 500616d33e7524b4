import { $ } from 'zx'
import type { Row } from './row.js'
import { settled } from './settled.js'
import type { Workspace } from './workspace.js'
import type { Cost, Synced, SyncedRules } from './workers/syncRules.js'

const worker = new URL('workers/syncRules.ts', import.meta.url)
/** The cluster of these rows: Services, and endpoints of each. */
export const [services, endpoints] = [5000, 2]
const [changesEach, turns] = [8, 3]

interface SyncRow {
  readonly name: string
  readonly mode: 'iptables' | 'nftables'
  /** What is measured, as in the table. */
  readonly what: string
  /** Why it needs root. */
  readonly rootless: string | undefined
  /** The maximum in milliseconds for one changed endpoint. */
  readonly most: number
}

/** A node's first full sync and the change of one endpoint in a running lab, compared with loading the same text alone. */
export function syncRow({ name, mode, what, rootless, most }: SyncRow): Row {
  return {
    name,
    skip: () => rootless,
    async measure(workspace) {
      const runs: SyncedRules[] = []
      for (let turn = 0; turn <= turns; turn++) {
        const run = await syncNode(workspace, mode)
        // the first turn warms up caches
        if (turn > 0) runs.push(run)
      }
      const firsts = runs.map(({ first }) => first)
      const changes = runs.flatMap((run) => run.changes)
      const of = `5,000 Services × 2 endpoints${what}`
      const first = `${of}: first sync of a node`
      return [
        { what: first, unit: 'ms', ...sides(firsts, 'milliseconds'), bound: { ratio: 1.3 } },
        {
          what: `${first} (processor time)`,
          unit: 'ms',
          ...sides(firsts, 'processorMs'),
          bound: { ratio: 1.3 },
        },
        {
          what: `${of}: one endpoint changes`,
          unit: 'ms',
          ...sides(changes, 'milliseconds'),
          bound: { most },
        },
      ]
    },
  }
}

/** Syncs the rules of a node in a running lab, and changes endpoints. */
export async function syncNode(workspace: Workspace, mode: SyncRow['mode']): Promise<SyncedRules> {
  const script = await workspace.bundle(worker)
  await settled()
  const args = [script, mode, services, endpoints, changesEach]
  const { stdout } = await $({ quiet: true })`${process.execPath} ${args}`
  return JSON.parse(stdout) as SyncedRules
}

function sides(all: readonly Synced[], cost: keyof Cost) {
  return { measured: all.map(({ measured }) => measured[cost]), floor: all.map(({ floor }) => floor[cost]) }
}
