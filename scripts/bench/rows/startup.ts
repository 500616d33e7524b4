import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

/** Startup times at the terminal. */
export const startup: Row = {
  name: 'startup',
  async measure({ cli }) {
    const [help = [], node = [], npm = []] = await inTurns(
      9,
      () => timed([process.execPath, cli, '--help'], root),
      () => timed([process.execPath, '--eval', '0'], root),
      async () => {
        await settled()
        return timed(['npm', 'run', 'lab', 'nodeport'], root)
      },
    )
    return [
      {
        what: 'vethlab --help, against node alone',
        unit: 'ms',
        measured: help,
        floor: node,
        bound: { most: 150 },
      },
      { what: 'npm run lab nodeport', unit: 'ms', measured: npm, bound: { most: 1000 } },
    ]
  },
}
