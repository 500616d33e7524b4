import type { Row } from '../row.js'
import { inTurns } from '../turns.js'
import { writeRules } from '../writeRules.js'

/** Rules of a large cluster: the time grows linearly with the Services, and the memory is bounded. */
export const largeCluster: Row = {
  name: 'large-cluster',
  async measure(workspace) {
    const peaks: number[] = []
    const perService = (services: number) => async () => {
      const { milliseconds, peakMB } = await writeRules(workspace, services, 5)
      peaks.push(peakMB)
      return (milliseconds * 1000) / services
    }
    const [measured = [], floor = []] = await inTurns(5, perService(20_000), perService(5000))
    return [
      {
        what: '20,000 Services × 5 endpoints, against 5,000 × 5',
        unit: 'µs/Service',
        measured,
        floor,
        bound: { ratio: 1.3 },
      },
      { what: '20,000 × 5: memory', unit: 'MB', measured: [Math.max(...peaks)], bound: { most: 1000 } },
    ]
  },
}
