import { portalProgram } from '../../../host/builtFiles.js'
import { portalOrders } from '../../../agents/kubeProxy/userspace/orders.js'
import { buildPortals } from '../../../agents/kubeProxy/userspace/portals.js'
import { portalProcess } from '../../../topology/portalProcess.js'
import type { Stage } from '../../../topology/types.js'
import type { PlannedLab } from './modeStages.js'

/** One process on each node, with the portals of every family. */
export function planPortals({ topology: { nodes, families }, inputOf }: PlannedLab): Stage {
  const planned = nodes.map((node) => {
    const orders = families.map((family) => portalOrders(family, buildPortals(inputOf(node.name), family)))
    return portalProcess(node, portalProgram(), orders)
  })
  return {
    name: 'portals of the nodes',
    files: planned.map(({ file }) => file),
    commands: [],
    processes: planned.map(({ process }) => process),
  }
}
