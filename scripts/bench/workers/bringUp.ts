import { networkOf } from '../../../src/topology/networkOf.js'
// Brings the topology of a lab up the way vethlab does, in a process that starts cold: `node bringUp.mjs <lab folder>`.
import { runStages } from '../../../src/host/sandbox/runPlan.js'
import { startSandbox } from '../../../src/host/sandbox/startSandbox.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { planAddresses, planLinks, planNamespaces } from '../../../src/topology/planLinks.js'

/** What bringUp.mjs prints. */
export interface BroughtUp {
  /** From files to the topology. */
  readonly prepareMs: number
  /** From the topology to namespaces, links, addresses and routes that are up, the sandbox included. */
  readonly upMs: number
  /** The most memory of the process meanwhile, in megabytes. */
  readonly peakMB: number
}

const start = performance.now()
const { topology } = prepareLab(process.argv[2] ?? '')
const prepared = performance.now()
const sandbox = await startSandbox('bench')
await runStages(sandbox, [
  planNamespaces(topology),
  planLinks(networkOf(topology)),
  planAddresses(networkOf(topology)),
])
const up = performance.now()
const result: BroughtUp = {
  prepareMs: prepared - start,
  upMs: up - prepared,
  peakMB: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
await sandbox.stop()
