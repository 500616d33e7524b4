import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Row } from '../row.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

/** `vethlab trace` and `why` from the shell: predicted from the files, and in a lab that is up. */
export const traces: Row = {
  name: 'trace',
  async measure({ cli, folder }) {
    const lab = folder(`bench-trace-${process.pid}`)
    cpSync(join(root, 'labs/nodeport'), lab, { recursive: true })
    const vethlab = (...args: readonly string[]) => timed([process.execPath, cli, ...args], root)
    const call = ['client', 'http://{node-a}:30080/']
    await vethlab('up', lab)
    try {
      const [predicted = [], observed = [], explained = [], node = []] = await inTurns(
        9,
        () => vethlab('trace', lab, ...call, '--predict'),
        () => vethlab('trace', basename(lab), ...call),
        () => vethlab('why', basename(lab), ...call),
        () => timed([process.execPath, '--eval', '0'], root),
      )
      return [
        {
          what: 'vethlab trace nodeport --predict, against node alone',
          unit: 'ms',
          measured: predicted,
          floor: node,
          bound: { most: 300 },
        },
        {
          what: 'vethlab trace nodeport, in a lab that is up, against node alone',
          unit: 'ms',
          measured: observed,
          floor: node,
          bound: { most: 500 },
        },
        {
          what: 'vethlab why nodeport, in a lab that is up, against trace',
          unit: 'ms',
          measured: explained,
          floor: observed,
          bound: { ratio: 1 },
        },
      ]
    } finally {
      await vethlab('down', basename(lab)).catch(() => undefined)
    }
  },
}
