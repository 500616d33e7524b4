import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { CannotRunError } from '../errors.js'
import { requireTools, toolEnvironment } from './environment.js'
import { onlyChild } from './processTree.js'
import { makeSandbox, type Sandbox } from './sandbox.js'
import { sandboxInit, sandboxMark } from './sandboxInit.js'
import { sandboxNamespaces } from './sandboxNamespaces.js'

/**
 * Makes a sandbox in about 6 ms. Throws CannotRunError where the kernel does not allow it.
 *
 * Without root there are two user namespaces, one in the other. In the inner one this user is root: the lab lives there.
 * In the outer one the user keeps the own id, and as the inner one's owner has power over all that is in it
 * (user_namespaces(7)). tcpdump runs there: as root it would set its groups, which such a namespace forbids.
 */
export async function startSandbox(label: string): Promise<Sandbox> {
  requireTools(['unshare', 'nsenter', 'mount', 'ip'])
  const rootless = process.getuid?.() !== 0
  const inner = [...sandboxNamespaces, ...['sh', '-c', sandboxInit, sandboxMark, label]]
  const argv = rootless
    ? [
        '--user',
        '--map-current-user',
        'sh',
        '-c',
        waitForInner,
        'outer',
        'unshare',
        '--user',
        '--map-root-user',
        ...inner,
      ]
    : inner
  const env = toolEnvironment()
  const child = execa('unshare', argv, {
    env,
    extendEnv: false,
    stdin: 'pipe',
    reject: false,
    cleanup: false,
    // a Ctrl-C at the terminal is this process's to handle, in its own order
    detached: true,
  })
  if (!(await firstOutput(child.stdout))) {
    const { stderr, exitCode } = await child
    throw notAllowed(stderr, exitCode)
  }
  const pid = childOf(rootless ? childOf(child.pid ?? 0) : (child.pid ?? 0))
  const closed = child.then(() => undefined)
  return makeSandbox({ pid, rootless, env, closed, end: () => child.stdin.end() })
}

/** Stays as the parent: somebody must be in the outer user namespace for others to join it. */
const waitForInner = '"$@"; exit $?'

async function firstOutput(stream: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    stream.once('data', () => resolve(true))
    stream.once('close', () => resolve(false))
  })
}

function notAllowed(stderr: string, code: number | undefined): CannotRunError {
  const what = `the kernel refused a sandbox (unshare exited with ${code ?? '?'}): ${stderr.trim()}`
  if (process.getuid?.() === 0) {
    return new CannotRunError(
      what,
      'run in a container with --privileged, or with --cap-add SYS_ADMIN --cap-add NET_ADMIN',
    )
  }
  return new CannotRunError(
    `${what}\n  this machine does not let ordinary users make namespaces`,
    'sudo npm run lab <name>',
  )
}

function childOf(parent: number): number {
  const child = onlyChild(parent)
  if (child === undefined) throw new CannotRunError('the sandbox ended while it was being made')
  return child
}
