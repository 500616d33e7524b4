import { readPlaces } from '../../host/readings.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { withMeaning } from '../../snapshot/meaning.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { joinPlaces } from '../../snapshot/readings/joinPlaces.js'
import type { LabModel, Snapshot } from './model.js'
import { plannedState } from './plannedState.js'

/** What all namespaces of a running lab have now; what a rule means comes from the plan, where it has the same rule. */
export async function readState(sandbox: Pick<Sandbox, 'run'>, model: LabModel): Promise<TraceState> {
  const { nodes, clients, pods } = model.topology
  const netnsNames = [...nodes, ...clients, ...pods].map(({ netns }) => netns)
  return withMeaning(joinPlaces(await readPlaces(sandbox, netnsNames)), plannedState(model))
}

/** A running lab, with the state of its kernels. */
export async function readSnapshot(sandbox: Pick<Sandbox, 'run'>, model: LabModel): Promise<Snapshot> {
  return { basis: 'kernel', model, state: await readState(sandbox, model), notices: [] }
}
