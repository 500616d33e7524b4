import { InputError } from '../../errors.js'
import { withFailingProbes } from '../../cluster/pods/probeForecast.js'
import { foresee } from '../../cluster/changes/index.js'
import { makeWrites } from '../../apiserver/write/makeWrites.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { Cluster } from '../../cluster/types.js'
import { substitute } from '../names/expression.js'
import { placeOf } from '../names/placeOf.js'
import { labState } from '../plan/labState.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import { prepareLab, type PreparedLab } from '../plan/prepareLab.js'
import { faultsOfLab } from '../workshop/faultsOfLab.js'
import { layOut } from '../../topology/layOut.js'
import { afterCommand, afterGivenCommand, type HostCommand } from '../../trace/change/hostCommand.js'
import { withoutRule, type RuleReference } from '../../trace/rules/without.js'
import { asChanged } from './asChanged.js'
import type { LabModel, Snapshot } from './model.js'
import { plannedState, snapshotOf } from './plannedState.js'

/** What is done to a snapshot before its requests are predicted. */
export interface SnapshotEdits {
  /** Their place is the name of a node, pod or client. */
  readonly after?: readonly HostCommand[] | undefined
  readonly without?: readonly RuleReference[] | undefined
}

/** How a lab is read, and what is done to it before its requests are predicted. */
export interface PredictOptions extends PrepareOptions, SnapshotEdits {}

/**
 * Reads a lab or an exercise by name or path, as it is when it has started and its faults are made; pods whose probes cannot succeed
 * are not ready. Throws InputError.
 */
export function planSnapshot(nameOrPath: string, options: PredictOptions = {}): Snapshot {
  const { folder, faults } = faultsOfLab(nameOrPath, options)
  const prepared = withCluster(prepareLab(folder, options), (cluster) => cluster)
  let snapshot = snapshotOf(prepared)
  for (const { name, command } of faults) {
    const argv = command?.argv.map((word) => named(word, prepared))
    const known = command && argv && { place: netnsOf(prepared, command.place), argv }
    const state = known && afterCommand(snapshot.state, known)
    const notice = `the effect of the fault "${name}" is not predicted`
    snapshot =
      state === undefined ? { ...snapshot, notices: [...snapshot.notices, notice] } : { ...snapshot, state }
  }
  return edited(snapshot, options)
}

/** A lab as its files have it: without the faults of an exercise, and with every pod ready, which it gets by itself. Throws InputError. */
export function prepareAsWritten(nameOrPath: string, options: PrepareOptions = {}): PreparedLab {
  return prepareLab(faultsOfLab(nameOrPath, options).folder, options)
}

/** The snapshot after commands and without rules. Throws InputError for a command that is not predicted, and a rule that does not exist. */
export function edited(snapshot: Snapshot, { after = [], without = [] }: SnapshotEdits): Snapshot {
  const placed = after.map(({ place, argv }) => ({ place: netnsOf(snapshot.model, place), argv }))
  return { ...snapshot, state: without.reduce(withoutRule, placed.reduce(afterGivenCommand, snapshot.state)) }
}

/** The snapshot after a change of its objects has settled. Throws InputError with the message of the API server. */
export function changedSnapshot({ model, state, ...snapshot }: Snapshot, change: ObjectWrite): Snapshot {
  const options = { ...model.clusterOptions, now: '2000-01-01T00:00:00Z' }
  const next = withCluster(model, (before) => foresee(makeWrites(before, [change], options).cluster))
  return { ...snapshot, model: next, state: asChanged(state, plannedState(model), plannedState(next)) }
}

function withCluster<Model extends LabModel>(model: Model, change: (cluster: Cluster) => Cluster): Model {
  const cluster = withFailingProbes(change(model.cluster))
  if (cluster === model.cluster) return model
  const { ranges, families, network } = model.topology
  return { ...model, ...labState(cluster, layOut(cluster, model.lab.clients, ranges, families, network)) }
}

function netnsOf({ names, topology }: LabModel, place: string): string {
  return placeOf(names, topology.places, place).netns
}

function named(word: string, { names }: LabModel): string {
  const done = substitute(word, names, 'plain')
  if ('text' in done) return done.text
  throw new InputError([{ message: done.problem, hint: done.hint }])
}
