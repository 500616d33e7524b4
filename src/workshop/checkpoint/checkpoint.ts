import { InputError } from '../../errors.js'
import { iptablesProgram, type Iptables } from '../../host/backend.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import { nodeTables } from '../../host/proxier/nodeTables.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { userFile } from '../../host/userState.js'
import { inputOfNode } from '../../agents/kubeProxy/input.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import { sendOrder } from '../../up/sendOrder.js'
import { readProxyState, type UpLab } from '../../up/upLab.js'
import type { UpPlace, UpProxyState } from '../../up/upState.js'
import { record } from '../checkExercise.js'
import { labOf } from '../labOf.js'
import { resetExercise } from '../startExercise.js'
import { begunExercise, type Begun, type Workshop } from '../workshop.js'
import { readObjects, restoreObjects } from './objects.js'
import { placeChanges } from './placeChanges.js'
import { readPlace } from './readPlace.js'
import { ruleChanges } from './ruleChanges.js'
import { checkpointSchema, type Checkpoint } from './types.js'

/** How long a restored lab may take to settle, in milliseconds. */
const settleMs = 60_000

/** A checkpoint that was saved. */
export interface SavedCheckpoint extends Begun {
  readonly objects: number
  readonly places: readonly string[]
}

/** Saves what a participant may have changed in the lab of an exercise; replaces the checkpoint of before. */
export async function saveCheckpoint(workshop: Workshop, name: string | undefined): Promise<SavedCheckpoint> {
  const { exercise } = begunExercise(workshop, name)
  const { owner, say } = workshop
  const up = await labOf(exercise, owner)
  if (up === undefined)
    throw new InputError([{ message: say.notUp(exercise.name), hint: say.startAgain(exercise.name) }])
  const state = await readProxyState(up)
  const [objects, places, synced] = await Promise.all([
    readObjects(up),
    readPlaces(up, state),
    syncedNodes(up, state),
  ])
  const savedAt = new Date().toISOString()
  const checkpoint: Checkpoint = { savedAt, objects: [...objects], places, synced: [...synced] }
  fileOf(owner, exercise.name).write(JSON.stringify(checkpoint))
  const attempt = record(workshop, exercise.name, () => ({ checkpointAt: savedAt }))
  return { exercise, attempt, objects: objects.length, places: Object.keys(places) }
}

/** A lab as its checkpoint has it. */
export interface RestoredCheckpoint extends Begun {
  readonly up: UpLab
  readonly savedAt: string
  /** What differed from the broken lab, one line each. */
  readonly restored: readonly string[]
  /** What could not be restored, one line each. */
  readonly problems: readonly string[]
}

/** Starts the broken lab of an exercise again, and makes it as its checkpoint has it. Throws InputError if there is none. */
export async function restoreCheckpoint(
  workshop: Workshop,
  name: string | undefined,
  signal: AbortSignal,
): Promise<RestoredCheckpoint> {
  const { exercise, attempt } = begunExercise(workshop, name)
  const checkpoint = readCheckpoint(workshop, exercise.name, attempt.checkpointAt)
  const { up } = await resetExercise(workshop, exercise.name, signal)
  const [restored, problems]: [string[], string[]] = [[], []]
  const note = (what: string, problem?: string) => {
    if (problem === undefined) restored.push(what)
    else problems.push(`${what}: ${problem}`)
  }
  for (const { what, problem } of await restoreObjects(up, checkpoint.objects)) note(what, problem)
  await sendOrder(up.holder, { do: 'settle', timeoutMs: settleMs })
  await restoreRules(up, checkpoint, note)
  await restorePlaces(up, checkpoint, note)
  return { exercise, attempt, up, savedAt: checkpoint.savedAt, restored, problems }
}

function fileOf(owner: string, exercise: string) {
  // an owner has no dot
  return userFile(`checkpoint.${owner}.${exercise}.json`)
}

/** The checkpoint of this attempt: one of an earlier class is not. */
function readCheckpoint({ owner, say }: Workshop, name: string, savedAt: string | undefined): Checkpoint {
  const { path, read } = fileOf(owner, name)
  const text = savedAt === undefined ? undefined : read()
  if (text === undefined)
    throw new InputError([{ message: say.checkpoint.none(name), hint: say.checkpoint.howToSave }])
  try {
    return checkpointSchema.parse(JSON.parse(text))
  } catch {
    throw new InputError([
      { message: `${path} was not written by the workshop`, hint: say.checkpoint.howToSave },
    ])
  }
}

/** Nodes and clients: their names stay the same when a lab is started again. */
function steady({ places }: UpLab): readonly UpPlace[] {
  return places.filter(({ kind }) => kind !== 'pod')
}

function iptablesOf({ backend }: UpProxyState): Iptables {
  const program: Iptables['program'] = (family, what) => iptablesProgram(backend, family, what)
  return { backend, version: '', randomFully: true, program }
}

async function readPlaces(up: UpLab, state: UpProxyState): Promise<Checkpoint['places']> {
  const sandbox = joinSandbox(up.pid, up.rootless)
  const read = steady(up).map(async ({ name, netns }) => {
    const place = await readPlace(sandbox, iptablesOf(state), netns, state.families)
    return [name, place] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The nodes whose rules are exactly those that their kube-proxy writes. */
async function syncedNodes(up: UpLab, { inputs, families }: UpProxyState): Promise<readonly string[]> {
  if (inputs === undefined) return []
  const mode = modeOf(inputs.config.mode)
  const live = liveModeOf(mode.name)
  const sandbox = joinSandbox(up.pid, up.rootless)
  const nodes = up.places.filter(({ kind }) => kind === 'node')
  const found = nodes.map(async ({ name, netns }) => {
    const input = inputOfNode(inputs, name)
    const all = families.map(async (family) =>
      mode.explain(input, family, await live.find(sandbox, netns, family), 'en'),
    )
    const chains = (await Promise.all(all)).flatMap(({ first, services, last }) => [
      ...[...first, ...last],
      ...services.flatMap(({ ports }) => ports.flatMap((port) => port.chains)),
    ])
    const changed = chains.some(({ rules }) =>
      rules.some(({ state }) => state !== 'expected' && state !== 'foreign'),
    )
    return changed ? [] : [name]
  })
  return (await Promise.all(found)).flat()
}

type Note = (what: string, problem?: string) => void

/** Has kube-proxy write its rules on the nodes where they were complete. */
async function restoreRules(up: UpLab, { synced }: Checkpoint, note: Note): Promise<void> {
  const now = await syncedNodes(up, await readProxyState(up))
  for (const node of synced.filter((name) => !now.includes(name))) {
    await sendOrder(up.holder, { do: 'restart-kube-proxy', node })
    note(`kube-proxy on ${node} restarted`)
  }
}

async function restorePlaces(up: UpLab, { places }: Checkpoint, note: Note): Promise<void> {
  const state = await readProxyState(up)
  const sandbox = joinSandbox(up.pid, up.rootless)
  const present = await readPlaces(up, state)
  for (const { name, netns } of steady(up)) {
    const [wanted, now] = [places[name], present[name]]
    if (wanted === undefined || now === undefined) continue
    for (const family of state.families) {
      const text = ruleChanges(wanted.rules[family] ?? '', now.rules[family] ?? '')
      if (text === '') continue
      const problem = await nodeTables(sandbox, iptablesOf(state), netns, family).restore(text)
      note(`rules of ${name} (${family})`, problem)
    }
    for (const argv of placeChanges(wanted, now)) {
      const { exitCode, stderr } = await sandbox.run(argv, { netns })
      note(
        `${name}: ${argv.join(' ')}`,
        exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`,
      )
    }
  }
}
