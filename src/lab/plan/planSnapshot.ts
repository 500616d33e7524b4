import { InputError } from '../../errors.js'
import { edited, withCluster, type SnapshotEdits } from '../../diagnose/edits.js'
import { substitute } from '../../names/expression.js'
import { placeOf } from '../../names/placeOf.js'
import type { PrepareOptions } from './prepareOptions.js'
import { prepareLab, type PreparedLab } from './prepareLab.js'
import { faultsOfLab } from '../workshop/faultsOfLab.js'
import { afterCommand } from '../../trace/change/hostCommand.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import { snapshotOf } from '../../snapshot/fromPlan/plannedState.js'

/** How a lab is read, and what is done to it before its requests are predicted. */
export interface PredictOptions extends PrepareOptions, SnapshotEdits {}

/**
 * Reads a lab or an exercise by name or path, as it is when it has started and its faults are made; pods whose probes cannot succeed
 * are not ready. Throws InputError.
 */
export function planSnapshot(nameOrPath: string, options: PredictOptions = {}): Snapshot {
  const { folder, faults } = faultsOfLab(nameOrPath, options)
  const prepared = withCluster(prepareLab(folder, options), (cluster) => cluster)
  const notices =
    faults.length === 0
      ? []
      : [
          `this is the lab with the faults of its exercise, as \`vethlab workshop start ${nameOrPath}\` starts it; \`vethlab up\` starts it without them`,
        ]
  let snapshot: Snapshot = { ...snapshotOf(prepared), warnings: prepared.warnings, notices }
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

function netnsOf({ names, topology }: LabModel, place: string): string {
  return placeOf(names, topology.places, place).netns
}

function named(word: string, { names }: LabModel): string {
  const done = substitute(word, names, 'plain')
  if ('text' in done) return done.text
  throw new InputError([{ message: done.problem, hint: done.hint }])
}
