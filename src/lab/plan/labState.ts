import type { Cluster } from '../../cluster/types.js'
import { topologyView } from '../../cluster/view.js'
import type { Topology } from '../../topology/types.js'
import type { LabState } from '../live/types.js'
import { namesOf } from '../names/names.js'

/** A cluster on its topology, with the names of its objects and places. */
export function labState(cluster: Cluster, topology: Topology): LabState {
  const clients = topology.clients.map(({ name, addresses }) => ({
    name,
    addresses: addresses.map(({ address }) => address),
  }))
  const view = topologyView(cluster, clients, topology.ranges)
  return { cluster, topology, view, names: namesOf(view) }
}
