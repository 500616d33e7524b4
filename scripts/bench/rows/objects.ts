import { buildCluster } from '../../../src/cluster/cluster.js'
import { manyNodes, manyObjects } from '../../../test/cluster/manyObjects.js'
import { twoNodes } from '../../../test/cluster/lab.js'
import type { Row } from '../row.js'
import { processorMs } from '../processorMs.js'

/** Objects of a large cluster to pods, addresses and EndpointSlices, compared with a tenth of them. */
export const objects: Row = {
  name: 'objects',
  measure: () => {
    const options = { ...twoNodes, nodes: manyNodes(25) }
    const perService = (deployments: number) => {
      const located = manyObjects(deployments)
      const run = () => (processorMs(() => buildCluster(located, options)) * 1000) / (deployments * 5)
      return [run(), run(), run()]
    }
    const floor = perService(100)
    return Promise.resolve([
      {
        what: '5,000 pods and 5,000 Services, against 500 and 500 (processor time)',
        unit: 'µs/Service',
        measured: perService(1000),
        floor,
        // with an algorithm over all pairs it would be ten times as much
        bound: { ratio: 4 },
      },
    ])
  },
}
