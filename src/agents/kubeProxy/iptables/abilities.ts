import { matchOf } from '../../../netfilter/rules/model.js'
import { parseRule } from '../../../netfilter/rules/parse.js'
import type { SavedTable } from '../../../netfilter/save.js'

/** What saved rules show about the host that kube-proxy wrote them on. */
export function abilitiesOf(saved: readonly SavedTable[]): { nfacct: boolean; randomFully: boolean } {
  const rules = saved.flatMap((table) => table.rules)
  const masquerade = rules.flatMap(({ chain, spec }) => {
    const target = chain === 'KUBE-POSTROUTING' ? parseRule(spec).target : undefined
    return target?.kind === 'MASQUERADE' ? [target] : []
  })
  return {
    nfacct: rules.some(({ spec }) => matchOf(parseRule(spec), 'nfacct') !== undefined),
    randomFully: masquerade.length === 0 || masquerade.some(({ randomFully }) => randomFully === true),
  }
}
