import { SandboxError } from '../../errors.js'
import { stopHolder } from '../../host/holders.js'
import { prepareExercise } from '../../lab/workshop/prepareExercise.js'
import { loadExercise } from '../../lab/workshop/loadExercise.js'
import { begin } from '../../lab/workshop/progress.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { formatTable } from '../../text/table.js'
import { askOfExercise } from '../ask.js'
import { endOnSignals, unlessAborted } from '../endOnSignals.js'
import { startHeld } from '../../up/holder.js'
import type { UpLab } from '../../up/upLab.js'
import { labOf } from './labOf.js'
import { begunExercise, type Session } from './session.js'
import { printColoured } from '../output.js'
import { foldedWidth } from '../terminal.js'

/** `vethlab workshop start <exercise>`: starts its broken lab and prints the task. */
export async function start(session: Session, name: string): Promise<void> {
  const { say, print, progress } = session
  const exercise = loadExercise(name)
  const up = await labOf(exercise)
  if (up !== undefined) {
    session.save(begin(progress, exercise.name, exercise.directory, new Date().toISOString()))
    print(`${say.isUpAlready(exercise.name)}\n`)
    return printTask(session, exercise, up)
  }
  await stopSolved(session)
  await startExercise(session, exercise)
}

/** `vethlab workshop reset`: removes the lab and starts the exercise again. */
export async function reset(session: Session, name: string | undefined): Promise<void> {
  const { exercise } = begunExercise(session, name)
  const up = await labOf(exercise)
  if (up !== undefined) await stopHolder(up.holder)
  await startExercise(session, exercise)
}

async function startExercise(session: Session, exercise: Exercise): Promise<void> {
  // if progress cannot be saved, nothing is started
  session.save(session.progress)
  const up = await startBroken(session, exercise)
  if (up === undefined) return
  try {
    session.save(begin(session.progress, exercise.name, exercise.directory, new Date().toISOString()))
  } catch (error) {
    await stopHolder(up.holder)
    throw error
  }
  printTask(session, exercise, up)
}

/** Starts the broken lab; undefined if a signal ended the start, in which case the lab is removed. */
async function startBroken({ say }: Session, exercise: Exercise): Promise<UpLab | undefined> {
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    const up = await startHeld(prepareExercise(exercise), { signal: controller.signal })
    try {
      controller.signal.throwIfAborted()
      const outcomes = await unlessAborted(controller.signal, askOfExercise(up, 'faults'))
      const failed = outcomes.find(({ ok }) => !ok)
      if (failed !== undefined)
        throw new SandboxError(say.faultFailed(failed.name, failed.observed.join('; ')), exercise.directory)
      controller.signal.throwIfAborted()
    } catch (error) {
      await stopHolder(up.holder)
      throw error
    }
    return up
  } catch (error) {
    if (interrupted.code === undefined) throw error
    process.exitCode = interrupted.code
    return undefined
  } finally {
    interrupted.forget()
  }
}

/** Removes the lab of the previous exercise, if that is solved. */
async function stopSolved({ progress, say, print }: Session): Promise<void> {
  const { current = '' } = progress
  const attempt = progress.exercises[current]
  if (attempt?.passedAt === undefined) return
  const up = await labOf({ name: current, directory: attempt.directory })
  if (up === undefined) return
  await stopHolder(up.holder)
  print(`${say.takenDown(current)}\n`)
}

function printTask(
  { say, print, colours, words, prose }: Session,
  exercise: Exercise,
  { view }: UpLab,
): void {
  const { title, task } = words(exercise)
  const places = [...view.nodes, ...view.clients, ...view.pods].map(({ name }) => name)
  const place = view.clients[0]?.name ?? view.nodes[0]?.name ?? ''
  const ways = [
    [`vethlab shell ${exercise.name} ${place}`, say.ways.shell],
    [`vethlab get ${exercise.name} pods,services`, say.ways.get],
    ['vethlab workshop check', say.ways.check],
    ['vethlab workshop hint', say.ways.hint],
  ]
  print(`${colours.bold(title)}\n\n${prose(task)}\n\n${prose(say.places(places.join(', ')))}\n`)
  printColoured(formatTable(ways, { indent: 2, width: foldedWidth() }))
}
