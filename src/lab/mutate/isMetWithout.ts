import { targetOf } from '../../netfilter/chainOwners.js'
import type { CataloguedRule } from './catalogue.js'

/**
 * Whether a jump did nothing after all: without it packets met every rule of the chain to which it leads that they met
 * with it. KUBE-SERVICES is entered from PREROUTING and from OUTPUT; a node that nobody but its own processes calls
 * Services on counts packets at both.
 */
export function isMetWithout(
  jump: CataloguedRule,
  metWith: readonly CataloguedRule[],
  metWithout: readonly CataloguedRule[],
): boolean {
  const target = targetOf(jump.spec)
  if (target === undefined || !target.startsWith('KUBE-')) return false
  const inChain = (rules: readonly CataloguedRule[]) =>
    rules.filter(
      ({ node, family, table, chain }) =>
        node === jump.node && family === jump.family && table === jump.table && chain === target,
    )
  const specs = new Set(inChain(metWithout).map(({ spec }) => spec))
  const expected = inChain(metWith)
  return expected.length > 0 && expected.every(({ spec }) => specs.has(spec))
}
