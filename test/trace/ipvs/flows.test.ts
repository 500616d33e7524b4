import { withRoutesOfAddresses } from '../../../src/topology/network.js'
import t from 'tap'
import { setsOf, tracedServer, withServiceAddresses } from '../../../src/snapshot/fromPlan/balancing.js'
import { ipvsMode } from '../../../src/agents/kubeProxy/ipvs/mode.js'
import { knownIpvs } from '../../../src/agents/kubeProxy/ipvs/known.js'
import type { TraceState } from '../../../src/snapshot/model/state.js'
import { loadRestore } from '../../../src/snapshot/rules/loadRestore.js'
import { flowInput } from '../../agents/kubeProxy/iptables/flows/flowHosts.js'
import type { Flow, Scenario } from '../../agents/kubeProxy/iptables/flows/scenario.js'
import { scenarios } from '../../agents/kubeProxy/iptables/flows/scenarios.js'
import { checkFlows, flowState } from '../predictedFlows.js'

/** Where a flow ends otherwise than in mode iptables, by the names of `scenarios`: the first that fits. */
const differences: readonly (readonly [flow: RegExp, result: string, masquerade: boolean, why: string])[] = [
  [/^B: .*B2 /, 'DROP', false, 'KUBE-LOOP-BACK has local endpoints only'],
  [/^B: .*B[89] /, 'REJECT', false, 'the cluster IP is local, and has no such port'],
  [/^D: .* (127\.0\.0\.1|::1):3001$/, '', false, 'no virtual server on loopback'],
  [/^E.*Local .*pod → (external IP|VIP|node port) /, '10.180.2.1:80', false, 'no short-circuit for pods'],
  [/^G: .* G3 .* 1\.2\.3\.4:80$/, '10.0.1.5:80', false, 'without a local endpoint those of other nodes'],
  [/^G: .* G13 /, 'REJECT', false, 'a virtual server without a real server'],
  [/^H: /, '', false, 'no address for node ports: no health check node port'],
  [/^M: .* M[235] svc2 /, '10.180.0.2:80', false, 'externalTrafficPolicy Local for everybody'],
  [/^M: .* M7 svc2 /, '10.180.0.2:80', false, 'externalTrafficPolicy Local for everybody'],
  [/^M: .* M6 /, '', false, 'no virtual server on loopback'],
]

// kube-proxy's packet-flow tables in mode ipvs, by prediction
for (const given of scenarios) {
  const { config } = given.input
  const scenario = { ...given, input: { ...given.input, config: { ...config, mode: 'ipvs' as const } } }
  t.test(scenario.name, async (t) =>
    checkFlows(t, scenario, stateOf(scenario), (flow) => expected(scenario.name, flow)),
  )
}

function expected(scenario: string, flow: Flow): Pick<Flow, 'result' | 'masquerade'> {
  const { name, destination, port } = flow
  const text = `${scenario} ${name} ${destination}:${port}`
  const [, result = flow.result, masquerade = flow.masquerade] =
    differences.find(([pattern]) => pattern.test(text)) ?? []
  return { result, masquerade }
}

function stateOf(scenario: Scenario): TraceState {
  const { family } = scenario
  const input = flowInput(scenario)
  const known = knownIpvs(input, family)
  const lines = new Map(known.rules.map(({ table, line, ...rule }) => [`${table} ${line}`, rule]))
  const state = flowState(scenario, loadRestore(ipvsMode.restoreText(input, family), lines))
  const own = [{ ...known, netns: 'node', family }]
  return {
    ...state,
    network: withRoutesOfAddresses(withServiceAddresses(state.network, own)),
    sets: new Map([['node', setsOf(own)]]),
    servers: new Map([['node', known.servers.map(tracedServer)]]),
  }
}
