// Loads an nft table into the network namespace that it runs in: `node loadNft.mjs <file>`. Prints the milliseconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2] ?? '')
const start = performance.now()
const nft = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'inherit', 'inherit'] })
nft.stdin.end(text)
const [code] = (await once(nft, 'exit')) as [number | null]
if (code !== 0) throw new Error(`nft exited with ${code ?? 'a signal'}`)
process.stdout.write(`${performance.now() - start}\n`)
