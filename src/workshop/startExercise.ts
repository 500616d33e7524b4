import { SandboxError } from '../errors.js'
import { stopHolder } from '../host/holders.js'
import { loadExercise } from '../lab/workshop/loadExercise.js'
import { prepareExercise } from '../lab/workshop/prepareExercise.js'
import { begin } from '../lab/workshop/progress.js'
import type { Exercise } from '../lab/workshop/types.js'
import { startHeld } from '../up/holder.js'
import type { UpLab } from '../up/upLab.js'
import { askOfExercise } from './askOfExercise.js'
import { labOf } from './labOf.js'
import { begunExercise, type Workshop } from './workshop.js'

/** An exercise whose lab runs. */
export interface StartedExercise {
  readonly exercise: Exercise
  readonly up: UpLab
  /** Whether it was running before, and was not changed. */
  readonly wasUp: boolean
  /** The name of the solved exercise whose lab was removed. */
  readonly removed?: string | undefined
}

/** Starts the broken lab of an exercise, and removes that of the last one if it is solved. A signal removes what it has started. */
export async function startExercise(
  workshop: Workshop,
  nameOrPath: string,
  signal: AbortSignal,
): Promise<StartedExercise> {
  const exercise = loadExercise(nameOrPath)
  const up = await labOf(exercise, workshop.owner)
  if (up !== undefined) {
    saveCurrent(workshop, exercise)
    return { exercise, up, wasUp: true }
  }
  const removed = await stopSolved(workshop)
  return { exercise, removed, wasUp: false, up: await startBroken(workshop, exercise, signal) }
}

/** Removes the lab of an exercise, and starts it again. */
export async function resetExercise(
  workshop: Workshop,
  name: string | undefined,
  signal: AbortSignal,
): Promise<StartedExercise> {
  const { exercise } = begunExercise(workshop, name)
  const up = await labOf(exercise, workshop.owner)
  if (up !== undefined) await stopHolder(up.holder)
  return { exercise, wasUp: false, up: await startBroken(workshop, exercise, signal) }
}

/** The lab runs since it was started: only which exercise is the current one may change. */
function saveCurrent(workshop: Workshop, exercise: Exercise): void {
  const { progress, save } = workshop
  const now = progress()
  if (now.exercises[exercise.name] === undefined) saveBegun(workshop, exercise)
  else if (now.current !== exercise.name) save({ ...now, current: exercise.name })
}

function saveBegun({ progress, save }: Workshop, { name, directory }: Exercise): void {
  save(begin(progress(), name, directory, new Date().toISOString()))
}

async function startBroken(workshop: Workshop, exercise: Exercise, signal: AbortSignal): Promise<UpLab> {
  const { owner, say, progress, save } = workshop
  // if progress cannot be saved, nothing is started
  save(progress())
  const up = await startHeld(prepareExercise(exercise), { signal }, owner, workshop.onHolder)
  try {
    signal.throwIfAborted()
    const outcomes = await askOfExercise(up, 'faults')
    const failed = outcomes.find(({ ok }) => !ok)
    if (failed !== undefined)
      throw new SandboxError(say.faultFailed(failed.name, failed.observed.join('; ')), exercise.directory)
    signal.throwIfAborted()
    saveBegun(workshop, exercise)
    return up
  } catch (error) {
    await stopHolder(up.holder)
    throw error
  }
}

/** Removes the lab of the exercise started last, if that is solved. */
async function stopSolved({ owner, progress }: Workshop): Promise<string | undefined> {
  const { current = '', exercises } = progress()
  const attempt = exercises[current]
  if (attempt?.passedAt === undefined) return undefined
  const up = await labOf({ name: current, directory: attempt.directory }, owner)
  if (up === undefined) return undefined
  await stopHolder(up.holder)
  return current
}
