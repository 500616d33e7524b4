import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { CannotRunError, WriteError } from '../../errors.js'
import { makeFolder } from '../makeFolder.js'

/** What was collected from one place: its archive, or why there is none. */
export type Collected =
  { readonly name: string; readonly file: string } | { readonly name: string; readonly failed: string }

/** How texts of nodes are collected. */
export interface CollectOptions {
  /** The folder of the archives; it is made. */
  readonly folder: string
  /** The script for sh(1); with `--node -` it prints the archive of a node, with `--cluster -` that of the objects. */
  readonly script: string
  readonly signal: AbortSignal
  /** How long one place may take. */
  readonly timeoutMs: number
  /** Called for each place as it ends. */
  readonly ended: (collected: Collected) => void
}

/** Places that are read at a time. */
const atATime = 10

/** Most bytes of one archive. */
const largest = 256 * 1024 * 1024

/** Runs the script on hosts by ssh(1), which must not ask for a password; as root, or by `sudo -n`. */
export async function collectBySsh(hosts: readonly string[], options: CollectOptions): Promise<Collected[]> {
  const remote = 'if [ "$(id -u)" = 0 ]; then exec sh -s -- --node -; else exec sudo -n sh -s -- --node -; fi'
  return each(hosts, options, async (host) => {
    const args = ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '--', host, remote]
    return archiveOf(await call('ssh', args, options))
  })
}

/** Reads the objects of a cluster by kubectl, and runs the script on its nodes in pods of `kubectl debug`, which are deleted after. */
export async function collectByKubectl(
  kubeconfig: string,
  image: string,
  options: CollectOptions,
): Promise<Collected[]> {
  const kubectl = (args: readonly string[], input?: string) =>
    call('kubectl', ['--kubeconfig', kubeconfig, ...args], { ...options, input })
  const listed = await kubectl(
    ['get', 'nodes', '--request-timeout=30s', '-o', 'jsonpath={.items[*].metadata.name}'],
    '',
  )
  if (listed.code !== 0) throw new CannotRunError(`kubectl cannot list the nodes: ${reasonOf(listed)}`)
  const nodes = listed.stdout
    .toString()
    .split(/\s+/)
    .filter((name) => name !== '')
  const objects = await each(['objects'], options, async () =>
    archiveOf(
      await call('sh', ['-s', '--', '--cluster', '-'], { ...options, env: { KUBECONFIG: kubeconfig } }),
    ),
  )
  const own = await each(nodes, options, async (node) => {
    const debug = ['debug', `node/${node}`, '--stdin', `--image=${image}`, '--profile=sysadmin']
    const result = await kubectl([...debug, '--', 'chroot', '/host', 'sh', '-s', '--', '--node', '-'])
    const pod = /Creating debugging pod (node-debugger-[\w.-]+) /.exec(
      `${printed(result.stdout)}${result.stderr}`,
    )
    // also after a signal: the pod is not the user's
    const signal = AbortSignal.timeout(30_000)
    const remove = ['--kubeconfig', kubeconfig, 'delete', 'pod', pod?.[1] ?? '', '--wait=false']
    if (pod) await call('kubectl', remove, { ...options, signal, input: '' })
    return archiveOf(result)
  })
  return [...objects, ...own]
}

interface Ended {
  readonly code: number | undefined
  readonly stdout: Buffer
  readonly stderr: string
  readonly timedOut: boolean
}

async function call(
  program: string,
  args: readonly string[],
  {
    script,
    signal,
    timeoutMs,
    input = script,
    env = {},
  }: Pick<CollectOptions, 'script' | 'signal' | 'timeoutMs'> & {
    readonly input?: string | undefined
    readonly env?: Record<string, string>
  },
): Promise<Ended> {
  const { exitCode, stdout, stderr, timedOut, originalMessage } = await execa(program, [...args], {
    ...{ input, env, reject: false, encoding: 'buffer', maxBuffer: largest },
    ...{ timeout: timeoutMs, cancelSignal: signal },
  })
  const errors = Buffer.from(stderr).toString()
  return {
    code: exitCode,
    stdout: Buffer.from(stdout),
    stderr: errors === '' ? (originalMessage ?? '') : errors,
    timedOut,
  }
}

/** The archive in what was printed: kubectl prints a line before it. Throws CannotRunError. */
function archiveOf(result: Ended): Buffer {
  const start = result.stdout.indexOf(Buffer.from([0x1f, 0x8b, 0x08]))
  if (result.code !== 0 || start < 0) throw new CannotRunError(reasonOf(result))
  return result.stdout.subarray(start)
}

function printed(stdout: Buffer): string {
  return stdout.subarray(0, 2000).toString('latin1')
}

/** The last line of errors, without what the script prints of its progress. */
function reasonOf({ stderr, timedOut, code }: Ended): string {
  if (timedOut) return 'no answer in time'
  const lines = stderr
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && !/^(?:running|skipped|If you don't see a command prompt)/.test(line),
    )
  return lines.at(-1)?.trim().slice(0, 300) ?? `exit code ${code ?? 'unknown'}, and no archive`
}

/** Reads places, some at a time, and writes the archive of each. */
async function each(
  names: readonly string[],
  options: CollectOptions,
  read: (name: string) => Promise<Buffer>,
): Promise<Collected[]> {
  const results: Collected[] = []
  const waiting = [...names]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const collected = await one(name, options, read)
      results.push(collected)
      options.ended(collected)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atATime, names.length) }, work))
  return results
}

async function one(
  name: string,
  { folder, signal }: Pick<CollectOptions, 'folder' | 'signal'>,
  read: (name: string) => Promise<Buffer>,
): Promise<Collected> {
  let archive: Buffer
  try {
    archive = await read(name)
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CannotRunError)) throw error
    return { name, failed: error.message }
  }
  const file = join(folder, `${name.replaceAll(/[^\w.@-]/g, '_')}.tar.gz`)
  try {
    makeFolder(folder, 0o700)
    writeFileSync(file, archive, { mode: 0o600 })
    chmodSync(file, 0o600)
  } catch (error) {
    throw new WriteError(file, error)
  }
  return { name, file }
}
