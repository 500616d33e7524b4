import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { bringUp } from '../bringUp.js'
import { bringUpByHand, writeByHand } from '../byHand.js'
import { writeLab } from '../generatedLab.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'

/** The namespaces, links, addresses and routes of 100 pods on 10 nodes, compared with `ip -batch` with the same files. */
export const topology: Row = {
  name: 'topology',
  async measure(workspace) {
    const lab = writeLab(workspace.folder('pods-100'), { nodes: 10, pods: 100 })
    const script = writeByHand(prepareLab(lab).topology, workspace.folder('by-hand-100'))
    const preparing: number[] = []
    const [measured = [], floor = []] = await inTurns(
      9,
      async () => {
        await settled()
        const { prepareMs, upMs } = await bringUp(workspace, lab)
        preparing.push(prepareMs)
        return upMs
      },
      async () => {
        await settled()
        return bringUpByHand(script)
      },
    )
    return [
      { what: '100 pods, 10 nodes: planned and up', unit: 'ms', measured, floor, bound: { ratio: 1.5 } },
      { what: 'before that: read, reconciled, laid out', unit: 'ms', measured: preparing.slice(1) },
    ]
  },
}
