import { familyOf } from '../../net/ipFamily.js'
import { asChanged } from '../../snapshot/asChanged.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import { labState } from '../../snapshot/model/labState.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { layOut } from '../../topology/layOut.js'
import type { OutsideHost } from '../../topology/types.js'
import type { Sources } from './sources.js'

/**
 * The hosts outside that a lab lacks: one for each class of addresses that no client has. What is outside of a cluster that was
 * attached is not known, and gets none.
 */
export function lackingHosts({ basis, model }: Snapshot, sources: Sources): OutsideHost[] {
  if (basis === 'attached') return []
  const { services } = model.cluster
  const names = [
    undefined,
    ...services.map(({ metadata: { namespace = 'default', name } }) => `${namespace}/${name}`),
  ]
  const addresses = names.flatMap((name) =>
    model.topology.families.flatMap((family) =>
      sources
        .outside(name, family)
        .flatMap(({ from, address }) => (from === undefined ? (address ?? []) : [])),
    ),
  )
  const taken = new Set(model.topology.places.map(({ name }) => name))
  return [...new Set(addresses)].map((address, index) => {
    let name = `outside-${index + 1}`
    while (taken.has(name)) name = `${name}x`
    return { name, addresses: [address] }
  })
}

/** The lab with more hosts outside of the cluster. */
export function withHosts<Model extends LabModel>(model: Model, hosts: readonly OutsideHost[]): Model {
  if (hosts.length === 0) return model
  const { cluster, lab, topology } = model
  const clients = [...lab.clients, ...hosts]
  const next = layOut(cluster, clients, topology.ranges, topology.families, topology.network)
  return { ...model, ...labState(cluster, next), lab: { ...lab, clients } }
}

/** The snapshot of a lab as it is with more hosts outside of the cluster. */
export function snapshotWithHosts(snapshot: Snapshot, hosts: readonly OutsideHost[]): Snapshot {
  if (hosts.length === 0) return snapshot
  const model = withHosts(snapshot.model, hosts)
  const state = asChanged(snapshot.state, plannedState(snapshot.model), plannedState(model))
  return { ...snapshot, model, state }
}

/** Whether a route is that of all addresses that no other route has. */
export function isDefaultRoute(to: string): boolean {
  return to === 'default' || to.endsWith('/0')
}

/** The state in which a host sends to what is outside of its network by a node. */
export function routedBy(state: TraceState, from: string, nodeAddresses: readonly string[]): TraceState {
  const routes = [
    ...state.network.routes.filter(
      ({ netns, to, via }) => netns !== from || (via === undefined && !isDefaultRoute(to)),
    ),
    ...nodeAddresses.map((via) => ({
      ...{ netns: from, to: familyOf(via) === 'IPv4' ? '0.0.0.0/0' : '::/0', via, device: 'eth0' },
    })),
  ]
  return { ...state, network: { ...state.network, routes } }
}
