import t from 'tap'
import { buildRuleset } from '../../../src/proxy/iptables/ruleset.js'
import { scenarios } from './flows/scenarios.js'
import { trace } from './tracer.js'

// The packet-flow tables, followed through the rules; test/kernel/packetFlows.test.ts sends real packets along them.
for (const { name, family, input, flows } of scenarios) {
  t.test(name, (t) => {
    const ruleset = buildRuleset(input, family)
    for (const { name: row, source, protocol, destination, port, result, masquerade } of flows) {
      t.same(
        trace(ruleset, source, protocol, destination, port),
        { result, masquerade },
        `${row}: ${source} → ${destination} port ${port} (${protocol})`,
      )
    }
    t.end()
  })
}
