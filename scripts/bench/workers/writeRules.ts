// Writes the rules of many Services in a process that starts cold: `node writeRules.mjs <services> <endpoints> [file]`.
import { writeFileSync } from 'node:fs'
import { renderFullRestore } from '../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { manyServices } from '../services.js'

/** What writeRules.mjs prints. */
export interface WroteRules {
  /** From objects in memory to the text. */
  readonly milliseconds: number
  readonly lines: number
  /** Most memory that the process ever had, its objects included. */
  readonly peakMB: number
}

const [services, endpoints, file] = process.argv.slice(2)
const input = manyServices(Number(services), Number(endpoints))
const start = performance.now()
const text = renderFullRestore(buildRuleset(input, 'IPv4'))
const milliseconds = performance.now() - start
const result: WroteRules = {
  milliseconds,
  lines: text.split('\n').length - 1,
  peakMB: process.resourceUsage().maxRSS / 1024,
}
if (file !== undefined) writeFileSync(file, text)
process.stdout.write(`${JSON.stringify(result)}\n`)
