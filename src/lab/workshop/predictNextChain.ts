import { InputError } from '../../errors.js'
import { predict } from '../../trace/predict.js'
import type { Path, RuleStep } from '../../trace/model/steps.js'
import { chainsOf, nextChainOptions } from '../../trace/text/nextChain.js'
import { shortChain } from '../../trace/text/ruleText.js'
import { substitute } from '../../names/expression.js'
import { placeOf } from '../../names/placeOf.js'
import { question } from '../../diagnose/question.js'
import { planSnapshot } from '../plan/planSnapshot.js'
import type { Exercise, PredictQuiz } from './types.js'

/** The chain that comes next, and others to choose from. */
export interface NextChain {
  /** The target of the request, with addresses instead of names. */
  readonly to: string
  /** The chain before, as it is shown. */
  readonly after: string
  /** Two to four names of chains, as they are shown, sorted. */
  readonly options: readonly string[]
  readonly answer: string
}

/**
 * Predicts a request to the broken lab, and which chain it meets after another one. Throws InputError with the position of the
 * question if there is no such chain, or if it depends on a random choice.
 */
export function predictNextChain(
  { directory, at: positionOf }: Pick<Exercise, 'directory' | 'at'>,
  { index, request, at, after }: PredictQuiz,
): NextChain {
  const position = positionOf(['quizzes', index, 'predict'])
  const problem = (message: string, hint?: string) => new InputError([{ message, at: position, hint }])
  try {
    const { snapshot, from, packet } = question(planSnapshot(directory), request)
    const { names, topology, lab } = snapshot.model
    const node = placeOf(names, topology.places, at).netns
    const { paths } = predict(snapshot.state, from, packet)
    const found = paths.map((path) => nextChain(path, node, after))
    const [first] = found
    const command = `vethlab trace ${lab.name} ${request.from} ${request.to} --predict`
    if (first === undefined || found.some((one) => one === undefined))
      throw problem(`no chain comes after ${after} on ${at}`, `\`${command}\` prints the path`)
    if (found.some((one) => one?.answer !== first.answer))
      throw problem(`the chain after ${after} on ${at} is a random choice`, `\`${command}\` prints the path`)
    if (first.options.length < 2)
      throw problem(`${first.answer} is the only chain that could come after ${after} on ${at}`)
    const to = substitute(request.to, names, request.to.includes('://') ? 'url' : 'plain')
    return { ...first, to: 'text' in to ? to.text : request.to }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.problems.map((one) => ({ ...one, at: one.at ?? position })))
  }
}

function nextChain({ hops }: Path, node: string, after: string): Omit<NextChain, 'to'> | undefined {
  const rules = hops
    .filter(({ place, packet }) => place === node && packet === 'request')
    .flatMap(({ steps }) => steps.filter((step): step is RuleStep => step.kind === 'rule'))
  const chains = chainsOf(rules)
  const index = chains.findIndex(
    ({ chain }) => chain === after || (after.endsWith('-') && chain.startsWith(after)),
  )
  const [before, next] = [chains[index], chains[index + 1]]
  if (before === undefined || next === undefined) return undefined
  const { table, hook } = before.rules[0] ?? {}
  if (next.rules[0]?.table !== table || next.rules[0]?.hook !== hook) return undefined
  const met = rules.filter((rule) => rule.table === table).map(({ chain }) => chain)
  const options = nextChainOptions(before, next.chain, met)
  return { after: shortChain(before.chain), options, answer: shortChain(next.chain) }
}
