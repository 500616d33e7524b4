import t from 'tap'
import { canonicalLines } from '../netfilter/canonicalLines.js'
import { parseSave } from '../../src/netfilter/save.js'
import { renderFullRestore } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { goldenCases, withoutNfacct } from '../agents/kubeProxy/goldenCases.js'
import { loaderOf, loadRules } from './loadRules.js'

const cases = goldenCases()

for (const family of ['IPv4', 'IPv6'] as const) {
  for (const backend of ['nft', 'legacy'] as const) {
    const loader = loaderOf(family, backend)
    const { program, nfacct, skip } = loader
    t.test(
      `${program}${nfacct ? '' : ', without nfacct'}: the rules as loaded equal the recordings`,
      { skip },
      (t) => {
        const texts = cases.map(({ name, input }) => {
          return [name, renderFullRestore(buildRuleset({ ...input, nfacct }, family))] as const
        })
        const loaded = loadRules(loader, new Map(texts))
        const results = cases.map(({ name, saved }) => {
          const { errors, saved: text } = loaded.get(name) ?? { errors: 'not loaded', saved: '' }
          const found = parseSave(text)
          return { name, errors, found, recorded: nfacct ? saved[family] : withoutNfacct(saved[family]) }
        })
        const failed = results.filter(({ errors }) => errors !== '')
        t.same(
          failed.map(({ name, errors }) => `${name}: ${errors}`),
          [],
          'every recording loads',
        )
        for (const { name, found, recorded } of results) {
          const both = found.filter(({ table }) => table !== 'mangle')
          t.same(canonicalLines(both), canonicalLines(recorded), `${name}: equals the recording`)
        }
        const canaries = results.map(({ name, found }) => {
          const canary = found.find(({ table }) => table === 'mangle')?.chains.at(-1)
          return { name, canary: `${canary?.name} ${canary?.policy}` }
        })
        t.same(
          canaries.filter(({ canary }) => canary !== 'KUBE-PROXY-CANARY -'),
          [],
          'the canary is in mangle',
        )
        t.end()
      },
    )
  }
}
