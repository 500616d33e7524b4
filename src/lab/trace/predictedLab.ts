import { InputError } from '../../errors.js'
import { withFailingProbes } from '../../cluster/pods/probeForecast.js'
import { foresee } from '../../cluster/changes/index.js'
import { makeWrites } from '../../apiserver/write/makeWrites.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { Cluster } from '../../cluster/types.js'
import { substitute } from '../names/expression.js'
import { placeOf } from '../names/placeOf.js'
import { labState } from '../plan/labState.js'
import { prepareLab, type PreparedLab } from '../plan/prepareLab.js'
import { faultsOfLab } from '../workshop/faultsOfLab.js'
import { layOut } from '../../topology/layOut.js'
import { afterCommand, afterGivenCommand, type HostCommand } from '../../trace/change/hostCommand.js'
import type { TraceState } from '../../trace/model/state.js'
import { withoutRule, type RuleReference } from '../../trace/rules/without.js'
import type { PredictOptions, PresentLab } from './predictOptions.js'
import { asChanged } from './asChanged.js'
import { tracedLab } from './tracedLab.js'

/** A lab whose requests are predicted. */
export interface PredictedLab {
  readonly prepared: PreparedLab
  /** What its hosts ran after it started: the faults of an exercise, and the commands of the user. */
  readonly commands: readonly HostCommand[]
  /** Rules that are left out. */
  readonly without: readonly RuleReference[]
  /** Faults of an exercise whose effect is not predicted, one sentence each. */
  readonly notices: readonly string[]
  /** What the kernel of the running lab has, if it was read, and the plan of the objects at that time. */
  readonly running?: { readonly kernel: TraceState; readonly planned: TraceState } | undefined
}

/** Reads a lab or an exercise by name or path; pods whose probes cannot succeed are not ready. Throws InputError. */
export function predictedLab(nameOrPath: string, options: PredictOptions = {}): PredictedLab {
  const { folder, faults } = faultsOfLab(nameOrPath, options)
  const { present, asWritten = present !== undefined } = options
  const read = prepareLab(folder, options)
  const prepared =
    present !== undefined
      ? atPresent(read, present)
      : asWritten
        ? read
        : withCluster(read, (cluster) => cluster)
  const placed = ({ place, argv }: HostCommand) => ({ place: netnsOf(prepared, place), argv })
  const given = (options.after ?? []).map(placed)
  let state = tracedLab(prepared)
  const commands: HostCommand[] = []
  const notices: string[] = []
  for (const { name, command } of asWritten ? [] : faults) {
    const argv = command?.argv.map((word) => named(word, prepared))
    const known = command && argv && placed({ place: command.place, argv })
    const next = known && afterCommand(state, known)
    if (known !== undefined && next !== undefined) {
      state = next
      commands.push(known)
    } else notices.push(`the effect of the fault "${name}" is not predicted`)
  }
  given.reduce(afterGivenCommand, state)
  return { prepared, commands: [...commands, ...given], without: options.without ?? [], notices }
}

/** What decides the path of packets in the lab. Throws InputError for a rule or chain that does not exist. */
export function stateOf({ prepared, commands, without, running }: PredictedLab): TraceState {
  const planned = tracedLab(prepared)
  const state = running === undefined ? planned : asChanged(running.kernel, running.planned, planned)
  return without.reduce(withoutRule, commands.reduce(after, state))
}

/** The lab after a change of its objects has settled. Throws InputError with the message of the API server. */
export function changedLab(lab: PredictedLab, change: ObjectWrite): PredictedLab {
  const options = { ...lab.prepared.clusterOptions, now: '2000-01-01T00:00:00Z' }
  const prepared = withCluster(lab.prepared, (before) =>
    foresee(makeWrites(before, [change], options).cluster),
  )
  return { ...lab, prepared }
}

/** The lab with the objects that it has now; what runs instead of images is not among them. */
function atPresent(read: PreparedLab, { cluster, topology }: PresentLab): PreparedLab {
  return { ...read, ...labState({ ...cluster, commands: read.cluster.commands }, topology) }
}

function withCluster(prepared: PreparedLab, change: (cluster: Cluster) => Cluster): PreparedLab {
  const cluster = withFailingProbes(change(prepared.cluster))
  if (cluster === prepared.cluster) return prepared
  const { lab, topology } = prepared
  const places = layOut(cluster, lab.clients, topology.ranges, lab.families, lab.network)
  return { ...prepared, ...labState(cluster, places) }
}

function after(state: TraceState, command: HostCommand): TraceState {
  return afterCommand(state, command) ?? state
}

function netnsOf({ names, topology }: PreparedLab, place: string): string {
  return placeOf(names, topology.places, place).netns
}

function named(word: string, { names }: PreparedLab): string {
  const done = substitute(word, names, 'plain')
  if ('text' in done) return done.text
  throw new InputError([{ message: done.problem, hint: done.hint }])
}
