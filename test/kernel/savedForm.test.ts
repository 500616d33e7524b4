import fc from 'fast-check'
import t from 'tap'
import { canonicalLines } from '../netfilter/canonicalLines.js'
import { parseSave } from '../../src/netfilter/save.js'
import { renderFullRestore } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../src/agents/kubeProxy/iptables/saved.js'
import { untyped } from '../netfilter/rules/untyped.js'
import { arbitraryInput } from '../agents/kubeProxy/arbitraryInput.js'
import { loaderOf, loadRules } from './loadRules.js'

const inputs = fc.sample(arbitraryInput, 40)

for (const backend of ['nft', 'legacy'] as const) {
  const loader = loaderOf('IPv4', backend)
  t.test(
    `${loader.program}: any cluster is saved in the form that diff expects`,
    { skip: loader.skip },
    (t) => {
      const rulesets = inputs.map((input) =>
        buildRuleset({ ...input, nfacct: input.nfacct && loader.nfacct }, 'IPv4'),
      )
      const loaded = loadRules(
        loader,
        new Map(rulesets.map((ruleset, index) => [String(index), renderFullRestore(ruleset)])),
      )
      rulesets.forEach((ruleset, index) => {
        const { errors, saved } = loaded.get(String(index)) ?? { errors: 'not loaded', saved: '' }
        t.equal(errors, '', `cluster ${index} loads`)
        t.same(canonicalLines(toSaved(ruleset)), canonicalLines(parseSave(saved)), `cluster ${index}`)
        t.same(untyped(parseSave(saved)), [], `cluster ${index}: every rule has types`)
      })
      t.end()
    },
  )
}
