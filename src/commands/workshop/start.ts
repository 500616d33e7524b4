import { formatTable } from '../../text/table.js'
import { resetExercise, startExercise, type StartedExercise } from '../../workshop/startExercise.js'
import { endOnSignals } from '../endOnSignals.js'
import { printColoured } from '../output.js'
import { foldedWidth } from '../terminal.js'
import type { Session } from './session.js'

/** `vethlab workshop start <exercise>`: starts its broken lab and prints the task. */
export async function start(session: Session, name: string): Promise<void> {
  const { say, print } = session
  const started = await unlessInterrupted((signal) => startExercise(session, name, signal))
  if (started === undefined) return
  if (started.wasUp) print(`${say.isUpAlready(started.exercise.name)}\n`)
  if (started.removed !== undefined) print(`${say.takenDown(started.removed)}\n`)
  printTask(session, started)
}

/** `vethlab workshop reset`: removes the lab and starts the exercise again. */
export async function reset(session: Session, name: string | undefined): Promise<void> {
  const started = await unlessInterrupted((signal) => resetExercise(session, name, signal))
  if (started !== undefined) printTask(session, started)
}

/** What a start returns; undefined if a signal ended it, in which case the lab is removed. */
export async function unlessInterrupted<Result>(
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    return await act(controller.signal)
  } catch (error) {
    if (interrupted.code === undefined) throw error
    process.exitCode = interrupted.code
    return undefined
  } finally {
    interrupted.forget()
  }
}

function printTask(
  { say, print, colours, words, prose }: Session,
  { exercise, up: { view } }: StartedExercise,
): void {
  const { title, task } = words(exercise)
  const places = [...view.nodes, ...view.clients, ...view.pods].map(({ name }) => name)
  const place = view.clients[0]?.name ?? view.nodes[0]?.name ?? ''
  const ways = [
    [`vethlab shell ${exercise.name} ${place}`, say.ways.shell],
    [`vethlab kubectl ${exercise.name} get pods,services`, say.ways.get],
    ['vethlab workshop check', say.ways.check],
    ['vethlab workshop hint', say.ways.hint],
  ]
  print(`${colours.bold(title)}\n\n${prose(task)}\n\n${prose(say.places(places.join(', ')))}\n`)
  printColoured(formatTable(ways, { indent: 2, width: foldedWidth() }))
}
