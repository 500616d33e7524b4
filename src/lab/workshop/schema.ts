import * as z from 'zod'
import { lineSome } from '../file/requestSchema.js'
import { actionKeys, stepSchema } from '../file/schema.js'

const prose = z.string().regex(/\S/, 'must say something')
const title = lineSome.describe('What is to be seen at first, in a line; never what is wrong.')
const task = prose.describe('What the participant is told: what is seen, what should be, what must stay.')
const hints = z.array(prose).min(1).max(10)
const why = prose.describe('Why that is the solution: what was wrong, and how one could have seen it.')
const remember = prose.describe('What to keep in mind: told when the exercise is passed.')
const says = prose.describe('What is still wrong while the check fails, without the answer.')

const checkName = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a name: write lower case words with - between them')
  .describe('The name of the check: lower case words with - between them.')

/** An exercise has one way to be right, whatever the mode. */
const stepOfExercise = stepSchema.omit({ modes: true })

const checkSchema = stepOfExercise.extend({
  name: checkName,
  says,
  guard: z
    .boolean()
    .optional()
    .describe('Holds from the start on, and must not be broken; false by default.'),
})

/** The whole of exercise.yaml. */
export const exerciseSchema = z
  .strictObject({
    title,
    level: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .describe('How hard it is: 1 objects, 2 the nodes, 3 where one has to know the way of a packet.'),
    task,
    faults: z
      .array(stepOfExercise)
      .max(100)
      .optional()
      .describe(
        'Steps, as in lab.yaml, that break the lab once it is up; none when its objects are wrong already.',
      ),
    checks: z.array(checkSchema).min(1).max(100).describe('Steps that all hold when the exercise is solved.'),
    hints: hints.describe('From a nudge to all but the answer; each call of `hint` tells one more.'),
    solution: z
      .array(lineSome.regex(/^vethlab /, 'is not a command of vethlab: write `vethlab exec …`, or the like'))
      .min(1)
      .max(20)
      .describe('Commands that a participant can type, each beginning with `vethlab`.'),
    why,
    remember,
  })
  .describe('An exercise of the workshop: exercise.yaml, beside the lab.yaml of its lab')

/** The whole of exercise.ko.yaml, or of the file of another language. */
export const translationSchema = z.strictObject({
  title,
  task,
  checks: z.record(checkName, says),
  hints,
  why,
  remember,
})

export type ExerciseFile = z.infer<typeof exerciseSchema>
export type TranslationFile = z.infer<typeof translationSchema>

/** The JSON Schema of exercise.yaml (draft 2020-12), with which editors complete and check it. */
export function exerciseJsonSchema(): unknown {
  const steps: unknown[] = [stepOfExercise, checkSchema]
  const schema = z.toJSONSchema(exerciseSchema, {
    io: 'input',
    // a step is described once, for faults and for checks
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      if (steps.includes(zodSchema)) jsonSchema.oneOf = actionKeys.map((key) => ({ required: [key] }))
    },
  })
  return { ...schema, title: 'exercise.yaml' }
}
