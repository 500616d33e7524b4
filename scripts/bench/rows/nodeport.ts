import { fileURLToPath } from 'node:url'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { inOwnNamespaces, rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

const script = fileURLToPath(new URL('../floor.sh', import.meta.url))

/** The whole NodePort lab, compared with a shell script that does the same. */
export const nodeport: Row = {
  name: 'nodeport',
  skip: () => (rootless ? 'the script by hand needs root: tcpdump sets its groups' : undefined),
  async measure({ cli }) {
    const requests = Math.max(...loadLab('nodeport', { cwd: root }).steps.map(({ repeat }) => repeat))
    const [measured = [], floor = []] = await inTurns(
      15,
      async () => {
        await settled()
        return timed([process.execPath, cli, 'run', 'nodeport'], root)
      },
      async () => {
        await settled()
        return timed(inOwnNamespaces(['sh', script, String(requests)]))
      },
    )
    return [{ what: 'vethlab run nodeport', unit: 'ms', measured, floor, bound: { ratio: 2 } }]
  },
}
