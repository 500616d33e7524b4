import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Longest that a command may take; one that hangs is a failure, and told as one. */
const patienceMs = 120_000

/**
 * The environment without what costs every start of Node some 20 ms where it is set, and has nothing to do with vethlab:
 * the certificates named there are read before anything else (node(1)).
 */
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env

/** Runs a command to its end, with no shell in between. Returns milliseconds; throws with its output when it fails. */
export async function timed(argv: readonly string[], cwd?: string): Promise<number> {
  const [file = '', ...rest] = argv
  const start = performance.now()
  const child = spawn(file, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  // its exit, not the end of its output: a process that it left behind may hold that open
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  const milliseconds = performance.now() - start
  if (code === 0) return milliseconds
  const how = signal === null ? `exited with ${code}` : `was ended by ${signal}`
  throw new Error(
    `${argv.join(' ')} ${how} after ${milliseconds.toFixed(0)} ms\n${Buffer.concat(said).toString()}`,
  )
}
