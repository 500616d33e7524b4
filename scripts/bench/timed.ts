import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The time limit of a command; one that exceeds it has failed. Two thousand pods take minutes where processes are slow to start. */
const patienceMs = 600_000

/**
 * The environment without NODE_EXTRA_CA_CERTS: Node reads these certificates first at every start (node(1)), which takes
 * about 20 ms that have nothing to do with vethlab.
 */
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env

/** Runs a command without a shell. Returns milliseconds; throws with its output when it fails. */
export async function timed(argv: readonly string[], cwd?: string): Promise<number> {
  const [file = '', ...rest] = argv
  const start = performance.now()
  const child = spawn(file, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  // waits for its exit, not for the end of its output, which a process that it left behind may keep open
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  const milliseconds = performance.now() - start
  if (code === 0) return milliseconds
  const how = signal === null ? `exited with ${code}` : `was ended by ${signal}`
  throw new Error(
    `${argv.join(' ')} ${how} after ${milliseconds.toFixed(0)} ms\n${Buffer.concat(said).toString()}`,
  )
}
