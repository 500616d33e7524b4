import { readPlaces } from '../../host/readPlaces.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { withMeaning } from '../../snapshot/meaning.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { joinPlaces } from '../../snapshot/readings/joinPlaces.js'
import type { Topology } from '../../topology/types.js'

/** What all namespaces of a running lab have now; what a rule means comes from the plan, where it has the same rule. */
export async function readState(
  sandbox: Pick<Sandbox, 'run'>,
  { nodes, clients, pods }: Pick<Topology, 'nodes' | 'clients' | 'pods'>,
  planned: TraceState,
): Promise<TraceState> {
  const netnsNames = [...nodes, ...clients, ...pods].map(({ netns }) => netns)
  return withMeaning(joinPlaces(await readPlaces(sandbox, netnsNames)), planned)
}
