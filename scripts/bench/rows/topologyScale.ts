import { bringUp } from '../bringUp.js'
import { writeLab } from '../generatedLab.js'
import type { Figure, Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'

const sizes = [100, 300, 1000]

/** The time per pod does not grow with the number of pods. */
export const topologyScale: Row = {
  name: 'topology-scale',
  async measure(workspace) {
    const sides = sizes.map((pods) => {
      const lab = writeLab(workspace.folder(`pods-${pods}`), { nodes: 10, pods })
      return async () => {
        await settled()
        return (await bringUp(workspace, lab)).upMs / pods
      }
    })
    const [floor = [], ...larger] = await inTurns(3, ...sides)
    const figures = larger.map((measured, index): Figure => ({
      what: `${sizes[index + 1]} pods, 10 nodes, against ${sizes[0]}`,
      unit: 'ms/pod',
      measured,
      floor,
      bound: { ratio: 1.5 },
    }))
    return figures
  },
}
