import * as z from 'zod'
import { lineSome } from '../file/requestSchema.js'

const prose = z.string().regex(/\S/, 'must say something')
const mostOptions = 6

const quizName = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a name: write lower case words with - between them')
  .describe('The name of the question: lower case words with - between them.')
const ask = prose.describe('The question.')
const options = z.array(lineSome).min(2).max(mostOptions).describe('The answers to choose from.')
const because = prose.describe('Why the answer is right; printed after the question was answered.')

const choiceSchema = z.strictObject({
  name: quizName,
  ask,
  options,
  answer: z.int().min(1).max(mostOptions).describe('The number of the right answer, from 1.'),
  because,
})

const predictSchema = z.strictObject({
  name: quizName,
  predict: z
    .strictObject({
      from: lineSome.describe('The node, pod or client that sends the request.'),
      to: lineSome.describe('A URL, or host:port; names in braces are replaced by addresses.'),
      protocol: z.enum(['tcp', 'udp']).optional().describe('tcp by default.'),
      at: lineSome.describe('The node on which the rules are evaluated.'),
      after: lineSome.describe('The name of a chain, or its beginning up to the hash: `KUBE-SVC-`.'),
    })
    .describe('Asks for the next chain of a request to the broken lab; the answer is predicted.'),
  because,
})

/** A question of exercise.yaml. */
export const quizSchema = z.union([choiceSchema, predictSchema])

/** The texts of the questions in another language, by name. Answers without words need no translation. */
export const quizTranslationSchema = z.record(
  quizName,
  z.strictObject({ ask: ask.optional(), options: options.optional(), because }),
)

export type QuizInFile = z.infer<typeof quizSchema>
export type QuizTranslation = z.infer<typeof quizTranslationSchema>[string]
