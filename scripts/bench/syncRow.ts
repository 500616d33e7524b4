import { $ } from 'zx'
import type { Row } from './row.js'
import { settled } from './settled.js'
import type { Cost, Synced, SyncedRules } from './workers/syncRules.js'

const worker = new URL('workers/syncRules.ts', import.meta.url)
const [services, endpoints, changesEach, turns] = [5000, 2, 8, 3]

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
      const script = await workspace.bundle(worker)
      const runs: SyncedRules[] = []
      for (let turn = 0; turn <= turns; turn++) {
        await settled()
        const args = [script, mode, services, endpoints, changesEach]
        const { stdout } = await $({ quiet: true })`${process.execPath} ${args}`
        // the first turn warms up caches
        if (turn > 0) runs.push(JSON.parse(stdout) as SyncedRules)
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

function sides(all: readonly Synced[], cost: keyof Cost) {
  return { measured: all.map(({ measured }) => measured[cost]), floor: all.map(({ floor }) => floor[cost]) }
}
