import type { Cluster } from '../../cluster/types.js'
import { topologyView } from '../../cluster/view.js'
import type { Topology } from '../../topology/types.js'
import { namesOf, type Names } from '../../names/names.js'
import type { TopologyView } from '../../results/events.js'

/** The state of a lab at one moment. */
export interface LabState {
  readonly cluster: Cluster
  readonly topology: Topology
  readonly view: TopologyView
  readonly names: Names
}

/** A cluster on its topology, with the names of its objects and places. */
export function labState(cluster: Cluster, topology: Topology): LabState {
  const clients = topology.clients.map(({ name, addresses }) => ({
    name,
    addresses: addresses.map(({ address }) => address),
  }))
  const view = topologyView(cluster, clients, topology.ranges)
  return { cluster, topology, view, names: namesOf(view) }
}
