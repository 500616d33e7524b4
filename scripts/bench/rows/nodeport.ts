import { fileURLToPath } from 'node:url'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { inOwnNamespaces, rootless } from '../namespaces.js'
import { allProcessorMs } from '../processorMs.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

const script = fileURLToPath(new URL('../floor.sh', import.meta.url))

/** Both sides wait this long for an answer that does not come. */
const waitMs = 300

/** The whole NodePort lab, compared with a shell script that does the same. */
export const nodeport: Row = {
  name: 'nodeport',
  skip: () => (rootless ? 'the script by hand needs root: tcpdump sets its groups' : undefined),
  async measure({ cli }) {
    const requests = Math.max(...loadLab('nodeport', { cwd: root }).steps.map(({ repeat }) => repeat))
    const processor = { measured: [] as number[], floor: [] as number[] }
    const side = (to: number[], command: readonly string[]) => async () => {
      await settled()
      const before = allProcessorMs()
      const took = await timed(command, root)
      to.push(allProcessorMs() - before)
      return took
    }
    const [measured = [], floor = []] = await inTurns(
      15,
      side(processor.measured, [process.execPath, cli, 'run', 'nodeport']),
      side(processor.floor, inOwnNamespaces(['sh', script, String(requests)])),
    )
    const withoutWait = (values: readonly number[]) => values.map((value) => value - waitMs)
    return [
      { what: 'vethlab run nodeport', unit: 'ms', measured, floor, bound: { ratio: 2 } },
      {
        what: `the same, without the ${waitMs} ms for which both wait`,
        unit: 'ms',
        measured: withoutWait(measured),
        floor: withoutWait(floor),
      },
      { what: 'the same, processor time', unit: 'ms', ...processor },
    ]
  },
}
