// Keeps the nft table of many Services in sync the way a lab that is up does: `node syncNft.mjs <services> <endpoints>
// <changes> <file>`. The first sync finds an empty namespace; its text goes to the file, too. Then one endpoint at a time
// becomes unready, or ready again.
import { writeFileSync } from 'node:fs'
import { nodeTables } from '../../../src/host/proxier/nodeTables.js'
import { chooseIptables } from '../../../src/host/backend.js'
import { createProxier } from '../../../src/host/proxier/proxier.js'
import { startSandbox } from '../../../src/host/startSandbox.js'
import type { ProxyInput } from '../../../src/proxy/input.js'
import { endpointSlice, manyServices } from '../services.js'
import type { SyncedRules } from './syncRules.js'

const [services = 0, endpoints = 0, changes = 0] = process.argv.slice(2).map(Number)
const file = process.argv[5]
const sandbox = await startSandbox('bench')
const netns = 'node-a'
await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
const real = nodeTables(sandbox, await chooseIptables(sandbox, undefined), netns, 'IPv4')
let fed = ''
const tables = { ...real, applyNft: (text: string) => real.applyNft((fed = text)) }
const made = manyServices(services, endpoints)
const { config } = made
let input: ProxyInput = {
  ...made,
  config: { ...config, mode: 'nftables', nftables: { ...config.nftables, minSyncPeriod: 0 } },
  serviceCIDRs: ['10.96.0.0/12'],
}
const proxier = createProxier({ node: netns, family: 'IPv4', tables, input })
const first = await timed(input)
if (file !== undefined) writeFileSync(file, fed)
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
  const report = await proxier.sync(next)
  if (!report.ok || report.linesWritten === 0) throw new Error(report.error ?? 'nothing was written')
  return performance.now() - start
}
