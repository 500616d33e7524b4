import { execa } from 'execa'
import t from 'tap'
import { megabytes } from '../../../scripts/bench/processes.js'
import { findHolders } from '../../../src/host/holders.js'
import { descendants } from '../../../src/host/sandbox/processTree.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { learningPath } from '../../../src/lab/workshop/paths.js'
import type { Exercise } from '../../../src/lab/workshop/types.js'
import type { ExerciseView, Me } from '../../../src/view/class/api.js'
import type { ClassState } from '../../../src/view/class/trainerApi.js'
import { trainer } from '../../../src/workshop/class/newClass.js'
import { cannotRun } from '../../kernel/ability.js'
import { ownState, serve, type Person } from '../../kernel/servedClass.js'
import { until } from '../../until.js'
import { openTrainerPage, solveInBrowser, timed } from './classPlayer.js'

t.setTimeout(3_600_000)

/** `npm run soak -- class` sets the size: participants and exercises of the course. */
const size = process.env['VETHLAB_CLASS']
const [participants = 4, length = 0] = size === undefined ? [] : size.split('x').map(Number)
// exercises that need no kubectl in the lab
const short = ['empty-address', 'island', 'unexpected-sender']
const names = length === 0 ? short : learningPath('two-hours').exercises.slice(0, length)
const exercises = names.map((name) => loadExercise(name))

/**
 * The memory of processes and their descendants, in MB; shared pages are counted once. Another process reads it: this one is
 * the server whose answers are timed.
 */
async function memoryOf(pids: readonly number[]): Promise<number> {
  const files = pids.flatMap((pid) => [pid, ...descendants(pid)]).map((pid) => `/proc/${pid}/smaps_rollup`)
  // fails for processes that have ended meanwhile
  const { stdout } = await execa({ reject: false })`grep -h ^Pss: ${files}`
  return stdout.split('\n').reduce((sum, line) => sum + Number(/(\d+) kB$/.exec(line)?.[1] ?? 0) / 1024, 0)
}

t.test('a class solves its exercises at once', { skip: cannotRun }, async (t) => {
  const wanted = Array.from({ length: participants }, (_, index) => `p${index + 1}`)
  const roster = ownState(t, wanted)
  const served = await serve(t, roster, exercises)
  let longest: readonly [ms: number, request: string] = [0, '']
  const come = async (name: string) =>
    timed(await served.person(name), (ms, request) => {
      if (ms > longest[0]) longest = [ms, request]
    })
  const people = await Promise.all(roster.map(come))
  const boss = await served.person(trainer)
  const board = await openTrainerPage(boss)
  const errors: string[] = []
  const lags: number[] = []
  let [atMost, labs, ended] = [0, 0, 0]

  const course = async (person: Person, index: number) => {
    // not everyone is at the same exercise
    const order = exercises.map((_, at) => exercises[(at + index) % exercises.length] as Exercise)
    for (const exercise of order)
      try {
        const { passed, all, solved } = await solveInBrowser(person, exercise)
        if (!solved) throw new Error(`${passed} of ${all} checks passed`)
        const answered = performance.now()
        await board.shows(({ participants: shown }) => shown[index]?.states[exercise.name] === 'solved')
        lags.push(performance.now() - answered)
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
        errors.push(`${roster[index]}: ${exercise.name}: ${String(error)}${cause}`)
        t.comment(errors.at(-1))
      } finally {
        if (++ended % participants === 0) {
          const holders = roster.flatMap((name) => findHolders(name))
          const memory = await memoryOf(holders.map(({ pid }) => pid))
          if (memory > atMost) [atMost, labs] = [memory, holders.length]
        }
      }
  }
  await Promise.all(people.map(course))
  t.strictSame(errors, [], 'no errors')

  const [first, second] = people
  const solved = Object.fromEntries(names.map((name) => [name, 'solved']))
  const { participants: states } = await boss.get<ClassState>('/class')
  t.strictSame(
    states.map((one) => ({
      name: one.name,
      solved: one.solved,
      states: one.states,
      passed: one.checks.passed,
    })),
    roster.map((name) => ({ name, solved: names.length, states: solved, passed: names.length })),
  )
  for (const person of people) {
    const me = await person.get<Me>('/me')
    t.ok(me.exercises.every(({ state }) => state === 'solved'))
    const last = await person.get<ExerciseView>(`/exercises/${me.current ?? ''}`)
    t.match(last, { running: true, state: 'solved', lastCheck: { solved: true, failed: [] } })
  }
  if (first === undefined || second === undefined) throw new Error('nobody came')
  for (const path of ['/', '/api/v1/lab'])
    t.equal(
      (await first.call('GET', `/participants/${roster[1]}/lab${path}`)).status,
      403,
      'the lab of another',
    )
  const place = { place: 'client', rows: 24, columns: 80 }
  const opened = (await (await second.call('POST', '/lab/api/v1/terminals', place)).json()) as { id: string }
  for (const [method, path] of [
    ['POST', `/lab/api/v1/terminals/${opened.id}/input`],
    ['GET', `/lab/api/v1/terminals/${opened.id}/output`],
  ] as const)
    t.equal((await first.call(method, path, method === 'POST' ? { text: 'x' } : undefined)).status, 404)
  for (const name of roster) t.equal(findHolders(name).length, 1, 'one lab each')

  t.comment(`labs: ${atMost.toFixed(0)} MB for ${labs}, server with test: ${memoryOfThis()} MB`)
  await board.close()
  t.equal(lags.length, people.length * exercises.length, 'the page of the trainer shows each solved exercise')
  const lag = (share: number) =>
    Math.round(lags.toSorted((a, b) => a - b)[Math.floor(share * (lags.length - 1))] ?? 0)
  t.comment(`trainer's page: shows a solved exercise after ${lag(0.5)} ms (median), ${lag(1)} ms at most`)
  t.comment(`longest answer: ${(longest[0] / 1000).toFixed(1)} s for ${longest[1]}`)
  const results = await served.end()
  t.strictSame(
    results.participants.map(({ exercises }) => exercises.map(({ exercise }) => exercise).toSorted()),
    roster.map(() => names.toSorted()),
  )
  t.ok(results.participants.every((one) => one.exercises.every(({ solvedAt }) => solvedAt !== undefined)))
  t.ok(await until(() => roster.every((name) => findHolders(name).length === 0)), 'the labs are removed')
})

function memoryOfThis(): string {
  return megabytes(process.pid, 'smaps_rollup', 'Pss').toFixed(0)
}
