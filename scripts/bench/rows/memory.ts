import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { $ } from 'zx'
import { sandboxMark } from '../../../src/host/sandbox/sandboxInit.js'
import { writeLab } from '../generatedLab.js'
import { megabytes, processes } from '../processes.js'
import type { Figure, Row } from '../row.js'
import type { Workspace } from '../workspace.js'

const writePeak = new URL('../writePeak.mjs', import.meta.url)
const pods = 100

/** The memory of a lab of 100 pods: of each echo server, and of the tool itself. */
export const memory: Row = {
  name: 'memory',
  async measure(workspace) {
    const lab = writeLab(workspace.folder(`bench-memory-${process.pid}`), { nodes: 10, pods })
    return [...(await whileUp(workspace, lab)), await whileRunning(workspace, lab)]
  },
}

async function whileUp({ cli }: Workspace, lab: string): Promise<Figure[]> {
  const vethlab = $({ quiet: true })
  await vethlab`${process.execPath} ${cli} up ${lab}`
  try {
    const all = processes()
    const first = all.filter(
      ({ words }) => words.includes(sandboxMark) && words.includes(`up:${basename(lab)}`),
    )
    const inside = new Set(first.map(({ pidNamespace }) => pidNamespace))
    // nodes have an nginx too, for kube-proxy's health checks
    const servers = all.filter(
      ({ words, pidNamespace }) =>
        inside.has(pidNamespace) && words.some((word) => word.startsWith('/run/vethlab/echo/')),
    )
    if (servers.length !== pods) throw new Error(`${servers.length} echo servers run instead of ${pods}`)
    const holder = all.find(({ words }) => words[2] === 'hold' && words[3] === basename(lab))
    if (holder === undefined) throw new Error('no process holds the lab')
    const largest = Math.max(...servers.map(({ pid }) => megabytes(pid, 'smaps_rollup', 'Pss')))
    const peak = megabytes(holder.pid, 'status', 'VmHWM')
    return [
      { what: 'the largest echo pod of 100 (PSS)', unit: 'MB', measured: [largest], bound: { most: 8 } },
      { what: 'vethlab up, 100 pods (peak RSS)', unit: 'MB', measured: [peak], bound: { most: 120 } },
    ]
  } finally {
    await vethlab`${process.execPath} ${cli} down ${basename(lab)}`
  }
}

async function whileRunning({ cli, folder }: Workspace, lab: string): Promise<Figure> {
  const file = join(folder('memory'), 'peak')
  const env = { ...process.env, BENCH_PEAK_FILE: file }
  await $({ quiet: true, env })`${process.execPath} --import ${writePeak.href} ${cli} run ${lab}`
  const measured = [Number(readFileSync(file, 'utf8')) / 1024]
  return { what: 'vethlab run, 100 pods (peak RSS)', unit: 'MB', measured, bound: { most: 120 } }
}
