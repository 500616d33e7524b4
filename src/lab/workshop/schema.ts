import * as z from 'zod'
import { lineSome } from '../file/requestSchema.js'
import { actionKeys, stepSchema } from '../file/schema.js'
import { isCode } from '../../diagnose/codes/codes.js'
import { quizSchema, quizTranslationSchema } from './quizSchema.js'

const prose = z.string().regex(/\S/, 'must say something')
const title = lineSome.describe('The symptom, in one line; never the cause.')
const task = prose.describe(
  'The task: the symptom, the goal, and what must not change. Commands are indented lines.',
)
const hints = z.array(prose).min(1).max(10)
const why = prose.describe('The cause, and how to find it; printed with the solution.')
const remember = prose.describe('What to remember; printed when the exercise is solved.')
const says = prose.describe('What is still wrong when the check fails, without the solution.')

const checkName = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a name: write lower case words with - between them')
  .describe('The name of the check: lower case words with - between them.')

/** The checks of an exercise are the same in every mode. */
const stepOfExercise = stepSchema.omit({ modes: true })

const checkSchema = stepOfExercise.extend({
  name: checkName,
  says,
  guard: z.boolean().optional().describe('Passes from the start, and must not fail; false by default.'),
})

/** The whole of exercise.yaml. */
export const exerciseSchema = z
  .strictObject({
    title,
    level: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .describe('1: API objects, 2: nodes, 3: the path of a packet.'),
    minutes: z
      .int()
      .min(1)
      .max(240)
      .optional()
      .describe('How long a participant who knows the lessons usually needs.'),
    prerequisites: z
      .array(lineSome)
      .max(20)
      .optional()
      .describe('Names of exercises to solve before this one.'),
    task,
    faults: z
      .array(stepOfExercise)
      .max(100)
      .optional()
      .describe('Steps, as in lab.yaml, that break the running lab; none if its objects have the fault.'),
    checks: z.array(checkSchema).min(1).max(100).describe('Steps that all pass when the exercise is solved.'),
    hints: hints.describe(
      'From a first idea to almost the solution; `hint` prints one at a time. Commands are indented lines.',
    ),
    quizzes: z
      .array(quizSchema)
      .max(10)
      .optional()
      .describe('Questions, which `workshop quiz` asks; they do not reveal the fault.'),
    solution: z
      .array(lineSome.regex(/^vethlab /, 'is not a command of vethlab: write `vethlab exec …`, or the like'))
      .min(1)
      .max(20)
      .describe('The commands that fix the lab, each beginning with `vethlab`.'),
    causes: z
      .array(
        z.string().refine(isCode, {
          error: ({ input }) =>
            `"${String(input)}" is no code of a cause: \`vethlab explain\` prints all of them`,
        }),
      )
      .min(1)
      .max(5)
      .optional()
      .describe('Codes of the cause (docs/causes.md); an assistant that submits one of them is right.'),
    why,
    remember,
  })
  .describe('An exercise of the workshop: exercise.yaml, next to the lab.yaml of its lab')

/** The whole of exercise.ko.yaml, or of the file of another language. */
export const translationSchema = z.strictObject({
  title,
  task,
  checks: z.record(checkName, says),
  hints,
  quizzes: quizTranslationSchema.optional(),
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
