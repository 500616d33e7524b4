import { bringUp } from '../bringUp.js'
import { writeLab } from '../generatedLab.js'
import type { Figure, Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'

const sizes = [100, 300, 1000, 2000]

/** The time per pod does not grow with the number of pods, nor does the memory. */
export const topologyScale: Row = {
  name: 'topology-scale',
  async measure(workspace) {
    const peaks = new Map<number, number>()
    const sides = sizes.map((pods) => {
      const lab = writeLab(workspace.folder(`pods-${pods}`), { nodes: 10, pods })
      return async () => {
        await settled()
        const { upMs, peakMB } = await bringUp(workspace, lab)
        peaks.set(pods, Math.max(peaks.get(pods) ?? 0, peakMB))
        return upMs / pods
      }
    })
    const [floor = [], ...larger] = await inTurns(3, ...sides)
    const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)].map((pods) => peaks.get(pods ?? 0))
    return [
      ...larger.map((measured, index): Figure => ({
        what: `${sizes[index + 1]} pods, 10 nodes, against ${sizes[0]}`,
        unit: 'ms/pod',
        measured,
        floor,
        bound: { ratio: 1.5 },
      })),
      {
        what: `${sizes.at(-1)} pods, 10 nodes: memory of the tool, against ${sizes[0]}`,
        unit: 'MB',
        measured: [largest],
        floor: [smallest],
        bound: { ratio: 2 },
      },
    ]
  },
}
