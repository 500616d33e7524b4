import t from 'tap'
import { canonicalLines } from '../../../netfilter/canonicalLines.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../../../src/agents/kubeProxy/iptables/saved.js'
import { goldenCases, withoutNfacct } from '../goldenCases.js'

const cases = goldenCases()

t.equal(cases.length, 49, 'every recording is there')

for (const family of ['IPv4', 'IPv6'] as const) {
  for (const { name, input, saved } of cases) {
    t.test(`${name} ${family}`, (t) => {
      const generated = (nfacct: boolean) =>
        toSaved(buildRuleset({ ...input, nfacct }, family)).filter(({ table }) => table !== 'mangle')
      t.same(canonicalLines(generated(true)), canonicalLines(saved[family]), 'equals the recording')
      t.same(
        canonicalLines(generated(false)),
        canonicalLines(withoutNfacct(saved[family])),
        'without nfacct: the same rules without those matches',
      )
      t.end()
    })
  }
}
