// Changes one endpoint at a time in the rules of one node, in memory: `node changeEndpoint.mjs <services> <endpoints>`.
import { changesBetween } from '../../../src/agents/kubeProxy/changes.js'
import { renderChangedChains } from '../../../src/agents/kubeProxy/iptables/changedChains.js'
import { buildRuleset, updateRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { endpointSlice, manyServices } from '../services.js'

/** What changeEndpoint.mjs prints. */
export interface ChangedEndpoint {
  /** Processor time of each change, from objects to text, in milliseconds. */
  readonly changesMs: readonly number[]
  readonly peakMB: number
}

const [services = 0, endpoints = 0] = process.argv.slice(2).map(Number)
const changes = 10
let input = manyServices(services, endpoints)
let ruleset = buildRuleset(input, 'IPv4')
const changesMs: number[] = []
for (let index = 0; index < changes; index++) {
  const endpointSlices = [...input.endpointSlices]
  endpointSlices[index] = endpointSlice(index, endpoints, false)
  const next = { ...input, endpointSlices }
  const start = process.cpuUsage()
  const changed = changesBetween(input, next, 'IPv4').services
  const after = updateRuleset(ruleset, next, changed)
  const text = renderChangedChains(ruleset, after, { only: changed })
  const { user, system } = process.cpuUsage(start)
  if (!text.includes('KUBE-SVC-')) throw new Error('the chain of the Service is not written')
  changesMs.push((user + system) / 1000)
  input = next
  ruleset = after
}
const result: ChangedEndpoint = { changesMs, peakMB: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(`${JSON.stringify(result)}\n`)
