import { foresee } from '../cluster/changes/index.js'
import { withFailingProbes } from '../cluster/pods/probeForecast.js'
import type { Cluster } from '../cluster/types.js'
import { makeWrites } from '../apiserver/write/makeWrites.js'
import type { ObjectWrite } from '../apiserver/write/objectWrite.js'
import { placeOf } from '../names/placeOf.js'
import { asChanged } from '../snapshot/asChanged.js'
import { plannedState } from '../snapshot/fromPlan/plannedState.js'
import { labState } from '../snapshot/model/labState.js'
import type { LabModel, Snapshot } from '../snapshot/model/snapshot.js'
import { layOut } from '../topology/layOut.js'
import { afterGivenCommand, type HostCommand } from '../trace/change/hostCommand.js'
import { withoutRule, type RuleReference } from '../trace/rules/without.js'

/** What is done to a snapshot before its requests are predicted. */
export interface SnapshotEdits {
  /** Their place is the name of a node, pod or client. */
  readonly after?: readonly HostCommand[] | undefined
  readonly without?: readonly RuleReference[] | undefined
}

/** The snapshot after commands and without rules. Throws InputError for a command that is not predicted, and a rule that does not exist. */
export function edited(snapshot: Snapshot, { after = [], without = [] }: SnapshotEdits): Snapshot {
  const placed = after.map(({ place, argv }) => ({ place: netnsOf(snapshot.model, place), argv }))
  return { ...snapshot, state: without.reduce(withoutRule, placed.reduce(afterGivenCommand, snapshot.state)) }
}

/** The snapshot after changes of its objects have settled. Throws InputError with the message of the API server. */
export function changedSnapshot(
  { model, state, ...snapshot }: Snapshot,
  changes: readonly ObjectWrite[],
): Snapshot {
  const options = { ...model.clusterOptions, now: '2000-01-01T00:00:00Z' }
  const next = withCluster(model, (before) => foresee(makeWrites(before, changes, options).cluster))
  return { ...snapshot, model: next, state: asChanged(state, plannedState(model), plannedState(next)) }
}

/** The model with other objects; pods whose probes cannot succeed are not ready. */
export function withCluster<Model extends LabModel>(
  model: Model,
  change: (cluster: Cluster) => Cluster,
): Model {
  const cluster = withFailingProbes(change(model.cluster))
  if (cluster === model.cluster) return model
  const { ranges, families, network } = model.topology
  return { ...model, ...labState(cluster, layOut(cluster, model.lab.clients, ranges, families, network)) }
}

function netnsOf({ names, topology }: LabModel, place: string): string {
  return placeOf(names, topology.places, place).netns
}
