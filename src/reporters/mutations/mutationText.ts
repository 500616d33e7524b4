import { parseRule } from '../../netfilter/rules/parse.js'
import { uncommentedRule } from '../../netfilter/rules/render.js'
import type { LabMutations, Mutation } from '../../results/mutations.js'
import { isOfIptables } from '../ruleLines.js'

/** The rule without its comment, as its tool prints it. */
export function mutatedRule({ spec }: Mutation): string {
  return isOfIptables(spec) ? uncommentedRule(parseRule(spec)) : spec
}

/** Why kube-proxy writes the rule, and whether others of its kind are left out. */
export function mutationReason({ why, alike }: Mutation): string {
  return alike > 1 ? `${why} (one of ${alike} similar rules, three of which are tested)` : why
}

/** What failed without the rule. */
export function mutationOutcome({ verdict, uncovered }: Mutation): string {
  const listed = uncovered === undefined ? '' : `; uncovered: ${uncovered}`
  switch (verdict.kind) {
    case 'caught':
      return `“${verdict.step}” › ${verdict.check}${uncovered === undefined ? '' : '; its entry in mutate.uncovered is not needed'}`
    case 'not caught':
      return uncovered === undefined ? 'no check failed' : `no check failed${listed}`
    case 'undecided':
      return `${verdict.reason}, before a check failed${listed}`
  }
}

/** How many rules of a lab had each outcome; `uncovered` are those that the lab lists. */
export function mutationTallies({ mutations }: LabMutations) {
  const covered = mutations.filter((mutation) => mutation.uncovered === undefined)
  const of = (kind: Mutation['verdict']['kind']) =>
    covered.filter(({ verdict }) => verdict.kind === kind).length
  return {
    caught: of('caught'),
    missed: of('not caught'),
    undecided: of('undecided'),
    uncovered: mutations.length - covered.length,
  }
}
