import * as z from 'zod'
import { callerOwner } from '../../host/owner.js'
import type { Tool, ToolAnswer } from '../../host/mcp/serveTools.js'
import { InputError } from '../../errors.js'
import { checkExercise } from '../../workshop/checkExercise.js'
import { allExercises } from '../../workshop/exercises.js'
import { runCommands } from '../../workshop/runCommands.js'
import { commandProblems, startFresh, submitExercise } from '../../workshop/submitExercise.js'
import { begunExercise, openWorkshop } from '../../workshop/workshop.js'
import { text, tool } from './tool.js'

const exercise = text.describe('the name of an exercise, which is that of its lab')
const command = text.describe(
  '`vethlab kubectl LAB …`, `vethlab exec LAB PLACE -- PROGRAM …` or `vethlab restart LAB …`; no shell',
)

/** Exercises: broken labs with a known cause. Hints and solutions are not offered. */
export const exerciseTools: readonly Tool[] = [
  tool(
    {
      ...{ name: 'exercises', title: 'List exercises', readOnly: true },
      description:
        'Exercises: broken labs, whose cause is to be found and fixed. Level 1: objects, 2: nodes, 3: paths of packets.',
    },
    {},
    () => {
      const exercises = allExercises().map(({ name, level, texts }) => ({
        ...{ name, level, title: texts.en.title },
      }))
      return Promise.resolve(answer({ exercises }))
    },
  ),
  tool(
    {
      ...{ name: 'exercise_start', title: 'Start an exercise', readOnly: false },
      description:
        'Starts the broken lab of an exercise, again if it runs. Answers with the task, and the places of the lab.',
    },
    { exercise },
    async ({ exercise: name }, signal) => {
      const { exercise, up } = await startFresh(workshop(), name, signal)
      const { title, task } = exercise.texts.en
      const places = [...up.view.nodes, ...up.view.clients, ...up.view.pods].map((place) => place.name)
      return answer({ exercise: exercise.name, title, task, places })
    },
  ),
  tool(
    {
      ...{ name: 'exercise_command', title: 'Run a command in an exercise', readOnly: false },
      description: 'Runs a command in the lab of a started exercise, to look at it or to try a fix.',
    },
    { exercise, command },
    async ({ exercise: name, command }, signal) => {
      const { exercise } = begunExercise(workshop(), name)
      const problems = commandProblems(exercise, [command])
      if (problems.length > 0) throw new InputError(problems)
      const [{ code, output } = { code: undefined, output: '' }] = await runCommands(
        [command],
        callerOwner(),
        signal,
      )
      return answer({ code: code ?? null, output })
    },
  ),
  tool(
    {
      ...{ name: 'exercise_state', title: 'What an exercise still lacks', readOnly: true },
      description: 'The checks of a started exercise that fail now, with what they say.',
    },
    { exercise },
    async ({ exercise: name }) => {
      const { exercise, all, failed } = await checkExercise(workshop(), name)
      const says = exercise.texts.en.checks
      return answer({
        exercise: exercise.name,
        checks: all,
        failed: Object.fromEntries(failed.map((one) => [one, says[one] ?? one])),
      })
    },
  ),
  tool(
    {
      ...{ name: 'exercise_submit', title: 'Submit a cause and a fix', readOnly: false },
      description:
        'Judges an answer: starts the broken lab again, runs the commands of the fix, and evaluates the checks. The verdict depends on the ' +
        'answer alone.',
    },
    {
      exercise,
      cause: text.describe('the code of the cause; `explain` knows the codes'),
      fix: z.array(command).min(1).max(20).describe('the commands that fix the lab as it was started'),
    },
    async ({ exercise: name, cause, fix }, signal) =>
      answer(await submitExercise(workshop(), name, { cause, fix }, signal)),
  ),
]

function workshop() {
  return openWorkshop(callerOwner(), 'en')
}

function answer(value: object): ToolAnswer {
  return { text: JSON.stringify(value, null, 2), value: { ...value } }
}
