import type { Row } from '../row.js'
import { inTurns } from '../turns.js'
import { writeRules } from '../writeRules.js'

/** Rules of a medium cluster, from objects to text, each time in a new process. */
export const generate: Row = {
  name: 'generate',
  async measure(workspace) {
    const [measured = []] = await inTurns(9, async () => (await writeRules(workspace, 5000, 2)).milliseconds)
    return [{ what: '5,000 Services × 2 endpoints: the text', unit: 'ms', measured, bound: { most: 150 } }]
  },
}
