import t from 'tap'
import { loadRestore } from '../../src/snapshot/rules/loadRestore.js'
import { modeOf } from '../../src/agents/kubeProxy/modes.js'
import { flowInput, flowRules } from '../agents/kubeProxy/iptables/flows/flowHosts.js'
import type { Scenario } from '../agents/kubeProxy/iptables/flows/scenario.js'
import { scenarios } from '../agents/kubeProxy/iptables/flows/scenarios.js'
import { checkFlows, flowState } from './predictedFlows.js'

// kube-proxy's packet-flow tables by prediction; test/kernel/packetFlows.test.ts sends real packets along them.
for (const scenario of scenarios)
  t.test(scenario.name, async (t) => checkFlows(t, scenario, stateOf(scenario)))

function stateOf(scenario: Scenario) {
  const input = flowInput(scenario)
  const saved = modeOf(input.config.mode).catalogue?.(input, scenario.family) ?? []
  const known = new Map(saved.map(({ table, line, spec }) => [`${table} ${line}`, { spec }]))
  return flowState(scenario, loadRestore(flowRules(scenario), known))
}
