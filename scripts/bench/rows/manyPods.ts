import { basename } from 'node:path'
import { $ } from 'zx'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { writeLab } from '../generatedLab.js'
import { megabytes, processes } from '../processes.js'
import type { Figure, Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import type { Workspace } from '../workspace.js'

const sizes = [300, 1000, 2000]

/**
 * Labs of many pods, all called at once: a thousand need more neighbour entries than the kernel allows for all namespaces of
 * the host together (net.ipv4.neigh.default.gc_thresh3, mostly 1024), unless the entries of a lab are exempt.
 */
export const manyPods: Row = {
  name: 'many-pods',
  async measure(workspace) {
    const figures: Figure[] = []
    let smallest: ManyPods | undefined
    for (const pods of sizes) {
      const measured = await upAndDown(workspace, pods)
      figures.push(...figuresOf(pods, measured, smallest))
      smallest ??= measured
    }
    return figures
  },
}

interface ManyPods {
  readonly upMs: number
  readonly downMs: number
  readonly silent: number
  /** The most memory of the process that holds the lab. */
  readonly peakMB: number
}

async function upAndDown({ cli, folder }: Workspace, pods: number): Promise<ManyPods> {
  const lab = writeLab(folder(`bench-many-${process.pid}-${pods}`), { nodes: 10, pods })
  const name = basename(lab)
  const addresses = prepareLab(lab).topology.pods.flatMap((pod) => pod.addresses[0]?.address ?? [])
  await settled()
  const upMs = await timed([process.execPath, cli, 'up', lab])
  const takeDown = () => timed([process.execPath, cli, 'down', name])
  try {
    const answered = await countAnswers([process.execPath, cli, 'exec', name, 'node-1', '--'], addresses)
    const holder = processes().find(({ words }) => words[2] === 'hold' && words[3] === name)
    if (holder === undefined) throw new Error('no process holds the lab')
    const peakMB = megabytes(holder.pid, 'status', 'VmHWM')
    return { upMs, peakMB, silent: addresses.length - answered, downMs: await takeDown() }
  } catch (error) {
    await takeDown().catch(() => undefined)
    throw error
  }
}

function figuresOf(pods: number, { upMs, downMs, silent, peakMB }: ManyPods, smallest?: ManyPods): Figure[] {
  const [least = 0] = sizes
  const against = smallest === undefined ? '' : `, against ${least}`
  const floor = (value: (small: ManyPods) => number, ratio: number) =>
    smallest === undefined ? {} : { floor: [value(smallest)], bound: { ratio } }
  return [
    {
      what: `${pods} pods, 10 nodes: vethlab up${against}`,
      unit: 'ms/pod',
      measured: [upMs / pods],
      ...floor((small) => small.upMs / least, 1.5),
    },
    {
      what: `… ${pods} pods: those that do not answer`,
      unit: 'pods',
      measured: [silent],
      bound: { most: 0 },
    },
    {
      what: `… ${pods} pods: memory of the tool${against}`,
      unit: 'MB',
      measured: [peakMB],
      ...floor((small) => small.peakMB, 2),
    },
    { what: `… ${pods} pods: vethlab down`, unit: 'ms', measured: [downMs] },
  ]
}

/** How many of the addresses answer when all are called, a hundred at a time. */
async function countAnswers(within: readonly string[], addresses: readonly string[]): Promise<number> {
  const options = [
    '--silent',
    '--parallel',
    '--parallel-max',
    '100',
    '--max-time',
    '5',
    '--output',
    '/dev/null',
  ]
  const url = `http://{${addresses.join(',')}}/`
  const call = [...within, 'curl', ...options, '--write-out', '%{http_code}\\n', url]
  const { stdout } = await $({ quiet: true, nothrow: true })`${call}`
  return stdout.split('\n').filter((line) => line === '200').length
}
