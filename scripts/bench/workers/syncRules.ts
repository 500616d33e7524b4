// Keeps the rules of many Services in sync the way a lab that is up does: `node syncRules.mjs <services> <endpoints>
// <changes>`. The first sync finds an empty namespace; then one endpoint at a time becomes unready, or ready again.
import { chooseIptables } from '../../../src/host/backend.js'
import { nodeTables } from '../../../src/host/proxier/nodeTables.js'
import { createProxier } from '../../../src/host/proxier/proxier.js'
import { startSandbox } from '../../../src/host/startSandbox.js'
import type { ProxyInput } from '../../../src/proxy/input.js'
import type { SyncReport } from '../../../src/proxy/syncReport.js'
import { endpointSlice, manyServices } from '../services.js'

/** What syncRules.mjs prints: milliseconds from objects in memory to rules in the kernel. */
export interface SyncedRules {
  readonly first: number
  readonly changes: readonly number[]
}

const [services = 0, endpoints = 0, changes = 0] = process.argv.slice(2).map(Number)
const sandbox = await startSandbox('bench')
const netns = 'node-a'
await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
const tables = nodeTables(sandbox, await chooseIptables(sandbox, undefined), netns, 'IPv4')
const made = manyServices(services, endpoints)
let input: ProxyInput = {
  ...made,
  config: { ...made.config, iptables: { ...made.config.iptables, minSyncPeriod: 0 } },
}
const proxier = createProxier({ node: netns, family: 'IPv4', tables, input })
const first = await timed(input)
const measured: number[] = []
for (let index = 0; index < changes; index++) {
  // pair by pair: a Service's endpoint goes, and comes back
  const which = (index >> 1) % services
  const endpointSlices = [...input.endpointSlices]
  endpointSlices[which] = endpointSlice(which, endpoints, index % 2 === 1)
  input = { ...input, endpointSlices }
  measured.push(await timed(input))
}
proxier.close()
await sandbox.close()
const result: SyncedRules = { first, changes: measured }
process.stdout.write(`${JSON.stringify(result)}\n`)

async function timed(next: ProxyInput): Promise<number> {
  const start = performance.now()
  const report: SyncReport = await proxier.sync(next)
  if (!report.ok || report.linesWritten === 0) throw new Error(report.error ?? 'nothing was written')
  return performance.now() - start
}
