// Brings the topology of a lab up the way vethlab does, in a process that starts cold: `node bringUp.mjs <lab folder>`.
import { runPlan } from '../../../src/host/runPlan.js'
import { startSandbox } from '../../../src/host/startSandbox.js'
import { prepareLab } from '../../../src/lab/prepareLab.js'
import { planAddresses, planLinks, planNamespaces } from '../../../src/topology/planLinks.js'

/** What bringUp.mjs prints. */
export interface BroughtUp {
  /** From files to the topology. */
  readonly prepareMs: number
  /** From the topology to namespaces, links, addresses and routes that are up, the sandbox included. */
  readonly upMs: number
}

const start = performance.now()
const { topology } = prepareLab(process.argv[2] ?? '')
const prepared = performance.now()
const sandbox = await startSandbox('bench')
await runPlan(sandbox, { stages: [planNamespaces(topology), planLinks(topology), planAddresses(topology)] })
const up = performance.now()
const result: BroughtUp = { prepareMs: prepared - start, upMs: up - prepared }
process.stdout.write(`${JSON.stringify(result)}\n`)
await sandbox.close()
