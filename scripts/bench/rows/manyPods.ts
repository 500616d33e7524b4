import { basename } from 'node:path'
import { $ } from 'zx'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { writeLab } from '../generatedLab.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'

/**
 * A thousand pods, all called at once: this needs more neighbour entries than the kernel allows for all namespaces of the
 * host together (net.ipv4.neigh.default.gc_thresh3, mostly 1024), unless the entries of a lab are exempt.
 */
export const manyPods: Row = {
  name: 'many-pods',
  async measure({ cli, folder }) {
    const lab = writeLab(folder(`bench-many-${process.pid}`), { nodes: 10, pods: 1000 })
    const name = basename(lab)
    const addresses = prepareLab(lab).topology.pods.flatMap((pod) => pod.addresses[0]?.address ?? [])
    await settled()
    const up = await timed([process.execPath, cli, 'up', lab])
    const takeDown = () => timed([process.execPath, cli, 'down', name])
    const answered = await countAnswers(
      [process.execPath, cli, 'exec', name, 'node-1', '--'],
      addresses,
    ).catch(async (error: unknown) => {
      await takeDown()
      throw error
    })
    const down = await takeDown()
    return [
      { what: '1,000 pods, 10 nodes: vethlab up', unit: 'ms', measured: [up] },
      {
        what: '… that do not answer',
        unit: 'pods',
        measured: [addresses.length - answered],
        bound: { most: 0 },
      },
      { what: '… vethlab down', unit: 'ms', measured: [down] },
    ]
  },
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
