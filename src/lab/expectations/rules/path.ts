import * as z from 'zod'
import type { RuleOnPath } from '../../observation.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { isWantedRule, resolveWantedRule, wantedRule, type WantedRule } from './wantedRule.js'
import { oneRequest, tracedActions } from './tracedRequests.js'

/** `path: [KUBE-NODEPORTS, KUBE-SVC-*, {chain: KUBE-POSTROUTING, contains: MASQUERADE}]`: rules that the request meets, in this order. */
export const path = stepKind({
  key: 'path',
  description:
    'Chains or rules that apply to the request and its answer, in this order, others between them allowed; decided by the kernel’s trace.',
  needs: { path: true },
  actions: tracedActions,
  schema: z.array(wantedRule).min(1),
  refuse: (_, step) => oneRequest(step),
  resolve: (given, resolver) => given.map((one, index) => resolveWantedRule(one, resolver.within(index))),
  describe: (wanted) => {
    const words = wanted.map((one) => one.words).join(' → ')
    return { name: `path: ${words}`, expected: `rules in this order: ${words}` }
  },
  evaluate: (wanted, { path: rules }) => {
    if (rules === undefined) return { ok: false, observed: 'the request was not traced' }
    const missing = firstMissing(rules, wanted)
    const met = pathWords(rules)
    return {
      ok: missing === undefined,
      observed: missing === undefined ? met : `${missing.words} does not apply there; applied: ${met}`,
    }
  },
  look: (wanted, seen, context) =>
    lookAtRules(seen, context, wanted[0]?.place ?? firstNode(seen, context), {
      chain: wanted.find(({ chain }) => !chain.includes('*'))?.chain,
    }),
})

/** The first expected rule that none applies of after those before it. */
function firstMissing(rules: readonly RuleOnPath[], wanted: readonly WantedRule[]): WantedRule | undefined {
  let from = 0
  for (const one of wanted) {
    const found = rules.findIndex((rule, index) => index >= from && isWantedRule(rule, one))
    if (found < 0) return one
    from = found + 1
  }
  return undefined
}

/** `node-a: KUBE-SERVICES, KUBE-NODEPORTS; node-b: filter/KUBE-FORWARD`, each chain once in a row. */
function pathWords(rules: readonly RuleOnPath[]): string {
  const groups: { place: string; chains: string[] }[] = []
  for (const { place, table, chain } of rules) {
    const words = table === 'nat' ? chain : `${table}/${chain}`
    const last = groups.at(-1)
    if (last?.place !== place) groups.push({ place, chains: [words] })
    else if (last.chains.at(-1) !== words) last.chains.push(words)
  }
  if (groups.length === 0) return 'no rule'
  return groups.map(({ place, chains }) => `${place}: ${chains.join(', ')}`).join('; ')
}
