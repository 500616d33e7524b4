import { isFull } from '../suite.js'
import t from 'tap'
import { scenarios } from '../agents/kubeProxy/iptables/flows/scenarios.js'
import { cannotRun } from './ability.js'
import { buildFlowNetwork } from './flowNetwork.js'
import { sendFlow, type Seen } from './sendFlow.js'

// The packet-flow tables with real packets; test/trace/packetFlows.test.ts predicts them.
const noSctp = 'curl and nc speak no SCTP: predicted only'
t.jobs = 2

// the full suite sends the packets of all of them
for (const scenario of scenarios.filter((_, at) => isFull || at % 2 === 0)) {
  t.test(scenario.name, { skip: cannotRun, buffered: true }, async (t) => {
    const sandbox = await buildFlowNetwork(scenario)
    t.teardown(() => sandbox.stop())
    for (const flow of scenario.flows) {
      const { name, source, protocol, destination, port } = flow
      const check = `${name}: ${source} → ${destination} port ${port} (${protocol})`
      if (protocol === 'sctp') t.pass(check, { skip: noSctp })
      else
        t.same(normalized(await sendFlow(sandbox, scenario, flow), scenario.inputPolicy), sorted(flow), check)
    }
  })
}

function sorted({ result, masquerade }: Seen): Seen {
  return { result: result.split(', ').sort().join(', '), masquerade }
}

/** Where INPUT drops what no rule accepts, an answer of the node itself is an ACCEPT, and no answer is no match. */
function normalized(seen: Seen, inputPolicy: 'DROP' | undefined): Seen {
  if (inputPolicy === undefined) return seen
  return { ...seen, result: seen.result === '' ? 'ACCEPT' : seen.result.replace(/^DROP$/, '') }
}
