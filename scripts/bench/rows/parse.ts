import { parseRule } from '../../../src/netfilter/rules/parse.js'
import { buildRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../../src/agents/kubeProxy/iptables/saved.js'
import type { Row } from '../row.js'
import { manyServices } from '../services.js'
import { inTurns } from '../turns.js'

const count = 100_000

/** Saved rules of a large cluster, from text to values. */
export const parse: Row = {
  name: 'parse',
  async measure() {
    const rules = toSaved(buildRuleset(manyServices(12_500, 2), 'IPv4'))
      .flatMap((table) => table.rules)
      .slice(0, count)
    if (rules.length < count) throw new Error(`only ${rules.length} rules`)
    const [measured = []] = await inTurns(5, () => {
      const start = performance.now()
      for (const { spec } of rules) parseRule(spec)
      return Promise.resolve(performance.now() - start)
    })
    return [{ what: '100,000 saved rules: their values', unit: 'ms', measured, bound: { most: 1500 } }]
  },
}
