import type { SavedTable } from '../../netfilter/save.js'

/** What saved rules tell of the machine that kube-proxy wrote them on. */
export function abilitiesOf(saved: readonly SavedTable[]): { nfacct: boolean; randomFully: boolean } {
  const rules = saved.flatMap((table) => table.rules)
  const masquerade = rules.filter(
    ({ chain, spec }) => chain === 'KUBE-POSTROUTING' && spec.includes('-j MASQUERADE'),
  )
  return {
    nfacct: rules.some(({ spec }) => spec.includes('-m nfacct --nfacct-name')),
    randomFully: masquerade.length === 0 || masquerade.some(({ spec }) => spec.includes('--random-fully')),
  }
}
