import { join } from 'node:path'
import { $ } from 'zx'
import { inOwnNetns, rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'
import { writeRules } from '../writeRules.js'

const worker = new URL('../workers/loadRules.ts', import.meta.url)
const [services, endpoints] = [5000, 2]

/** From objects in memory to rules in the kernel, compared with iptables-restore alone with the same text. */
export const restore: Row = {
  name: 'restore',
  // net.core.wmem_default limits what iptables-nft can send at once without root
  skip: () => (rootless ? 'without root one commit is limited to about 500 rules' : undefined),
  async measure(workspace) {
    const text = join(workspace.folder('rules'), 'restore.txt')
    await writeRules(workspace, services, endpoints, text)
    const script = await workspace.bundle(worker)
    const load =
      (...args: readonly (string | number)[]) =>
      async () => {
        await settled()
        const argv = inOwnNetns([process.execPath, script, ...args.map(String)])
        const { stdout } = await $({ quiet: true })`${argv}`
        return Number(stdout)
      }
    const [measured = [], floor = []] = await inTurns(3, load(services, endpoints), load(text))
    return [
      {
        what: '5,000 Services × 2 endpoints: written and loaded',
        unit: 'ms',
        measured,
        floor,
        bound: { ratio: 1.3 },
      },
    ]
  },
}
