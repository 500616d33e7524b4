import { joinRecordings, recordings } from '../../../test/packets/manyPackets.js'
import type { Row } from '../row.js'
import { processorMs } from '../processorMs.js'

/** Captures of 100,000 packets, read and joined to flows. */
export const packets: Row = {
  name: 'packets',
  measure: () => {
    const figures = Object.entries(recordings).map(([name, record]) => {
      const files = record(100_000)
      const measured = Array.from({ length: 5 }, () => processorMs(() => joinRecordings(files)))
      return {
        what: `100,000 packets read and joined: ${name} (processor time)`,
        unit: 'ms' as const,
        measured,
        // if every packet opens a flow, there is more to join
        bound: { most: name.startsWith('TCP') ? 1000 : 2000 },
      }
    })
    return Promise.resolve(figures)
  },
}
