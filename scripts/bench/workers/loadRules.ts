// Loads rules into the network namespace that it runs in: `node loadRules.mjs <services> <endpoints>` writes them first,
// `node loadRules.mjs <file>` loads a text that is there in the fastest way: without --noflush, which removes the rules of other
// programs. Prints the milliseconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { largeCommits, splitRestore } from '../../../src/netfilter/splitRestore.js'
import { renderFullRestore } from '../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { manyServices } from '../services.js'

const [first = '', endpoints] = process.argv.slice(2)
const input = endpoints === undefined ? undefined : manyServices(Number(first), Number(endpoints))
const file = input === undefined ? readFileSync(first) : undefined

const start = performance.now()
const noflush = input === undefined ? [] : ['--noflush']
const restore = spawn('iptables-restore', [...noflush, '--counters'], {
  stdio: ['pipe', 'inherit', 'inherit'],
})
restore.stdin.end(
  input === undefined ? file : splitRestore(renderFullRestore(buildRuleset(input, 'IPv4')), largeCommits),
)
const [code] = (await once(restore, 'exit')) as [number | null]
if (code !== 0) throw new Error(`iptables-restore exited with ${code ?? 'a signal'}`)
process.stdout.write(`${performance.now() - start}\n`)
