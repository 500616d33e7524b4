import { $ } from 'zx'
import { findTool } from '../../../src/host/environment.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import type { ServedHosts } from '../workers/serveHosts.js'

const worker = new URL('../workers/serveHosts.ts', import.meta.url)
const proxies = ['nginx', 'haproxy'] as const
const few = 10
const many = 500

/** Ingress: the time to write configurations from the model, and from the change of a route until it is served. */
export const ingress: Row = {
  name: 'ingress',
  skip() {
    const missing = proxies.filter((name) => findTool(name) === undefined)
    return missing.length === 0 ? undefined : `missing here: ${missing.join(', ')}`
  },
  async measure(workspace) {
    const script = await workspace.bundle(worker)
    const serve = async (proxy: string, hosts: number) => {
      await settled()
      const { stdout } = await $({ quiet: true })`${process.execPath} ${script} ${proxy} ${hosts}`
      return JSON.parse(stdout) as ServedHosts
    }
    const figures = []
    for (const proxy of proxies) {
      const [small, large] = [await serve(proxy, few), await serve(proxy, many)]
      const [of, ofMany] = [`${proxy}, ${few} hosts × 2 paths`, `${proxy}, ${many} hosts × 2 paths`]
      figures.push(
        {
          what: `${ofMany}: written (processor time)`,
          unit: 'ms' as const,
          measured: large.written,
          bound: { most: 50 },
        },
        {
          what: `${of}: a change is live`,
          unit: 'ms' as const,
          measured: small.changed,
          bound: { most: 200 },
        },
        {
          what: `${ofMany}: a change is live`,
          unit: 'ms' as const,
          measured: large.changed,
          bound: { most: 200 },
        },
      )
    }
    return figures
  },
}
