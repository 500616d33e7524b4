import type { PrepareOptions } from '../lab/plan/prepareOptions.js'
import type { PresentLab } from '../lab/trace/predictOptions.js'
import type { Place, Topology } from '../topology/types.js'
import { sendOrder } from './sendOrder.js'
import type { UpLab } from './upLab.js'
import type { SentLabState } from './upState.js'

/** The state of a running lab as JSON has it. */
export function sentLabState(
  { cluster, topology }: PresentLab,
  options: SentLabState['options'],
): SentLabState {
  const sent = <P extends Place>(places: readonly P[]) =>
    places.map((place) => ({ ...place, interfaces: [...place.interfaces] }))
  const { now, events, past, applied, commands, controllerRevisions, ...objects } = cluster
  const { nodes, clients, pods, places } = topology
  return {
    options,
    cluster: objects,
    topology: {
      ...topology,
      ...{ nodes: sent(nodes), clients: sent(clients), pods: sent(pods), places: sent(places) },
    },
  }
}

/** The objects and places of a running lab now, and the options with which it was started. Throws what `sendOrder` throws. */
export async function readLabState({
  holder,
}: UpLab): Promise<{ readonly present: PresentLab; readonly options: PrepareOptions }> {
  const answer = await sendOrder(holder, { do: 'lab-state' })
  if (!('labState' in answer)) throw new Error('the process that holds the lab sent an unexpected answer')
  const { options, cluster, topology } = answer.labState
  const received = <P extends { readonly interfaces: readonly (readonly [number, string])[] }>(
    places: readonly P[],
  ) => places.map((place) => ({ ...place, interfaces: new Map(place.interfaces) }))
  const { nodes, clients, pods, places } = topology
  const there: Topology = {
    ...topology,
    nodes: received(nodes),
    clients: received(clients),
    pods: received(pods),
    places: received(places),
  }
  return {
    present: { cluster, topology: there },
    options: { ...options, ignoreKinds: new Set(options.ignoreKinds) },
  }
}
