import { shortChain } from '../../trace/text/ruleText.js'
import type { Frame, ShownRule } from './frames.js'

/** Rules of one chain, in the order in which the packet meets them. */
export interface MetChain {
  readonly chain: string
  readonly rules: readonly ShownRule[]
}

/** The chains that a packet meets at a moment; one to which it returns is another. */
export function chainsOf(rules: readonly ShownRule[]): MetChain[] {
  const chains: { chain: string; rules: ShownRule[] }[] = []
  for (const rule of rules) {
    const last = chains.at(-1)
    if (last?.chain === rule.chain) last.rules.push(rule)
    else chains.push({ chain: rule.chain, rules: [rule] })
  }
  return chains
}

/** Asks which chain follows another at a moment. */
export interface Question {
  /** Index of the chain after which it is asked. */
  readonly after: number
  /** Two to four names of chains, as they are shown, sorted. */
  readonly options: readonly string[]
  readonly answer: string
}

const mostOptions = 4

/**
 * The questions at a moment of a path. Wrong options are the targets of rules that do not apply in the chain before, then other
 * chains that the packet meets in the same table.
 */
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
    const answer = shortChain(chain)
    const others = [...before.rules.flatMap(chainNotTaken), ...met]
      .filter((name) => name !== before.chain)
      .map(shortChain)
    const wrong = [...new Set(others)].filter((name) => name !== answer).slice(0, mostOptions - 1)
    return wrong.length === 0 ? [] : [{ after, options: [answer, ...wrong].toSorted(), answer }]
  })
}

/** The chain to which a rule would have sent the packet; none for `ACCEPT` and other built-in targets. */
function chainNotTaken(rule: ShownRule): string[] {
  if (rule.kind !== 'rule' || rule.holds !== 'no') return []
  const [, target] = / -[jg] (\S+)/.exec(` ${rule.spec}`) ?? []
  return target === undefined || /^[A-Z]+$/.test(target) ? [] : [target]
}
