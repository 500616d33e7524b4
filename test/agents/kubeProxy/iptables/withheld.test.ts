import fc from 'fast-check'
import t from 'tap'
import { renderFullRestore } from '../../../../src/agents/kubeProxy/iptables/restore.js'
import { restoreRule } from '../../../../src/agents/kubeProxy/iptables/restoreRule.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { withhold } from '../../../../src/agents/kubeProxy/iptables/withheld.js'
import { writtenRules } from '../../../../src/agents/kubeProxy/iptables/writtenRules.js'
import { arbitraryInput } from '../arbitraryInput.js'

t.test(
  'each rule that kube-proxy writes can be left out of its text, and nothing but that rule',
  async () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const ruleset = buildRuleset(input, 'IPv4')
        const text = renderFullRestore(ruleset)
        return writtenRules(ruleset).every(({ table, rule, command }) => {
          const line = restoreRule(rule, command)
          const left = withhold(
            text,
            { node: 'a', family: 'IPv4', table, line },
            { node: 'a', family: 'IPv4' },
          )
          return left.length === text.length - line.length - 1
        })
      }),
      { numRuns: 30 },
    )
  },
)

t.test('a rule of another table, node or family stays', async (t) => {
  const text = '*nat\n-A KUBE-SERVICES -j X\nCOMMIT\n*filter\n-A KUBE-SERVICES -j X\nCOMMIT\n'
  const rule = { node: 'a', family: 'IPv4', table: 'filter', line: '-A KUBE-SERVICES -j X' } as const
  t.equal(withhold(text, rule, rule), '*nat\n-A KUBE-SERVICES -j X\nCOMMIT\n*filter\nCOMMIT\n')
  t.equal(withhold(text, rule, { node: 'b', family: 'IPv4' }), text)
  t.equal(withhold(text, rule, { node: 'a', family: 'IPv6' }), text)
  t.equal(withhold(text, undefined, rule), text)
})
