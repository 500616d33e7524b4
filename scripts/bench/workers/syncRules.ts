// Keeps the rules of many Services in sync the way a lab that is up does: `node syncRules.mjs <mode> <services>
// <endpoints> <changes>`. The first sync finds an empty namespace; then one endpoint at a time becomes unready, or ready
// again. Each text that kube-proxy writes is fed to the same program in a second namespace, too, with nothing in between, in the
// fastest way: the first one as a whole ruleset, which iptables-restore loads in less time without `--noflush`.
import { chooseIptables } from '../../../src/host/backend.js'
import { nodeTables, type NodeTables } from '../../../src/host/proxier/nodeTables.js'
import { createProxier } from '../../../src/host/proxier/liveModes.js'
import { startSandbox } from '../../../src/host/sandbox/startSandbox.js'
import type { ProxyInput } from '../../../src/agents/kubeProxy/input.js'
import { allProcessorMs } from '../processorMs.js'
import { endpointSlice, manyServices } from '../services.js'

/** Milliseconds, and those of the processor: of this process and its children. */
export interface Cost {
  readonly milliseconds: number
  readonly processorMs: number
}

/** From objects in memory to rules in the kernel, and the text alone. */
export interface Synced {
  readonly measured: Cost
  readonly floor: Cost
}

/** What syncRules.mjs prints. */
export interface SyncedRules {
  readonly first: Synced
  readonly changes: readonly Synced[]
}

const mode = process.argv[2] === 'nftables' ? 'nftables' : 'iptables'
const [services = 0, endpoints = 0, changes = 0] = process.argv.slice(3).map(Number)
const sandbox = await startSandbox('bench')
const iptables = await chooseIptables(sandbox, undefined)
const [own, alone] = [await tablesIn('node-a'), await tablesIn('node-b')]
const made = manyServices(services, endpoints)
let input: ProxyInput = {
  ...made,
  config: { ...made.config, mode, [mode]: { ...made.config[mode], minSyncPeriod: 0 } },
  serviceCIDRs: ['10.96.0.0/12'],
}
let fed = ''
const tables = {
  ...own,
  restore: (text: string) => own.restore((fed = text)),
  applyNft: (text: string) => own.applyNft((fed = text)),
}
const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables, input })
const first = await synced(input, true)
const measured: Synced[] = []
for (let index = 0; index < changes; index++) {
  // pair by pair: a Service's endpoint goes, and comes back
  const which = (index >> 1) % services
  const endpointSlices = [...input.endpointSlices]
  endpointSlices[which] = endpointSlice(which, endpoints, index % 2 === 1)
  input = { ...input, endpointSlices }
  measured.push(await synced(input))
}
proxier.stop()
await sandbox.stop()
const result: SyncedRules = { first, changes: measured }
process.stdout.write(`${JSON.stringify(result)}\n`)

async function tablesIn(netns: string): Promise<NodeTables> {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  return nodeTables(sandbox, iptables, netns, 'IPv4')
}

async function synced(next: ProxyInput, isFirst = false): Promise<Synced> {
  const measured = await costOf(async () => {
    const report = await proxier.sync(next)
    if (!report.ok || report.linesWritten === 0) throw new Error(report.error ?? 'nothing was written')
  })
  const floor = await costOf(async () => {
    const error = await (mode === 'nftables'
      ? alone.applyNft(fed)
      : isFirst
        ? restoreWhole(fed)
        : alone.restore(fed))
    if (error !== undefined) throw new Error(error)
  })
  return { measured, floor }
}

/** Replaces the tables, which are empty. */
async function restoreWhole(input: string): Promise<string | undefined> {
  const argv = [iptables.program('IPv4', 'restore'), '--counters']
  const { exitCode, stderr } = await sandbox.run(argv, { netns: 'node-b', input, largeMessages: true })
  return exitCode === 0 ? undefined : stderr
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [start, before] = [performance.now(), allProcessorMs()]
  await work()
  return { milliseconds: performance.now() - start, processorMs: allProcessorMs() - before }
}
