import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

/** An exercise with two nodes and two pods. */
const name = 'every-other'

/** How long a participant waits until the broken lab is there again. */
export const exercise: Row = {
  name: 'exercise',
  async measure({ cli, folder }) {
    const state = `XDG_STATE_HOME=${folder('state')}`
    const vethlab = (...args: readonly string[]) =>
      timed(['env', state, process.execPath, cli, ...args, '--as', `bench-${process.pid}`], root)
    await vethlab('workshop', 'start', name)
    try {
      const [measured = []] = await inTurns(7, async () => {
        await settled()
        return vethlab('workshop', 'reset', name)
      })
      return [{ what: 'vethlab workshop reset', unit: 'ms', measured, bound: { most: 2000 } }]
    } finally {
      await vethlab('down', name)
    }
  },
}
