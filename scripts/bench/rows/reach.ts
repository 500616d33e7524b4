import { $ } from 'zx'
import type { Figure, Row } from '../row.js'
import { root } from '../workspace.js'
import type { ReachedCluster } from '../workers/reachCluster.js'

const worker = new URL('../workers/reachCluster.ts', import.meta.url)

/** Every request to every Service of a cluster, in two modes of kube-proxy. */
export const reached: Row = {
  name: 'reach',
  async measure({ bundle }) {
    const script = await bundle(worker)
    return (await Promise.all([[10, 100, 10_000] as const].map((one) => figuresOf(script, ...one)))).flat()
  },
}

async function figuresOf(script: string, nodes: number, services: number, most: number): Promise<Figure[]> {
  const { stdout } = await $({ quiet: true, cwd: root })`${process.execPath} ${script} ${nodes} ${services}`
  const { decided, measured, memory } = JSON.parse(stdout) as ReachedCluster
  const what = `${services} Services on ${nodes} nodes, two modes`
  return [
    { what: `${what}: ${decided} requests compared`, unit: 'ms', measured: [measured], bound: { most } },
    { what: `${what}: memory`, unit: 'MB', measured: [memory] },
  ]
}
