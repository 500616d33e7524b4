import type { StepWhy } from '../../results/stepWhy.js'
import { proposalText } from './proposalText.js'
import type { Why } from './types.js'

/** The first finding of an answer with its cause and fix, for reports; `sentence` is its headline. */
export function stepWhyOf({ findings: [finding] }: Why, sentence: string): StepWhy | undefined {
  if (finding === undefined) return undefined
  const { code, causes, changes } = finding
  const proposal = changes[0]?.proposal
  return {
    ...{ sentence, code },
    cause: (causes.find((one) => one.code === code) ?? causes[0])?.says,
    fix: proposal && proposalText(proposal),
    command: proposal?.command,
  }
}
