import { chainsOf, nextChainOptions } from '../../trace/text/nextChain.js'
import { shortChain } from '../../trace/text/ruleText.js'
import type { Frame } from './frames.js'

/** Asks which chain follows another at a moment. */
export interface Question {
  /** Index of the chain after which it is asked. */
  readonly after: number
  /** Two to four names of chains, as they are shown, sorted. */
  readonly options: readonly string[]
  readonly answer: string
}

/** The questions at a moment of a path. */
export function questionsAt(frames: readonly Frame[], moment: number): Question[] {
  const now = frames[moment]
  if (now?.kind !== 'table') return []
  const chains = chainsOf(now.rules)
  const met = frames
    .filter(({ row }) => row === now.row)
    .flatMap(({ rules }) => rules.map(({ chain }) => chain))
  return chains.slice(1).flatMap(({ chain }, after): Question[] => {
    const before = chains[after]
    if (before === undefined) return []
    const options = nextChainOptions(before, chain, met)
    return options.length < 2 ? [] : [{ after, options, answer: shortChain(chain) }]
  })
}
