import { spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import { joinHostPort } from '../../../net/socketText.js'
import { asTool, toolPath } from '../../environment.js'
import { endsWithParent, toolAt } from '../../sandbox/endsWithParent.js'
import { endGroup } from '../../sandbox/toolFailure.js'

/** A connection that is being made. */
export interface Dialled {
  readonly stream: Duplex
  /** Why it was not made, as Go's net package prints it; undefined when it was. Resolves when it has ended. */
  readonly failure: () => Promise<string | undefined>
}

/** How long the API server waits for a connection (SetTransportDefaults of apimachinery). */
const connectMs = 30_000

/** Connects to an address from a network namespace of the lab, for a process in its sandbox. */
export function dialFrom(netns: string, address: string, port: number): Dialled {
  const target = joinHostPort(address, port)
  const argv = [
    ...[...endsWithParent.map(toolAt), toolPath('nsenter'), `--net=/run/netns/${netns}`, '--'],
    ...[toolPath('nc'), '-Nvn', address, String(port)],
  ]
  const [file = '', ...rest] = argv
  const child = spawn(file, rest, { ...asTool(), cwd: '/', detached: true, stdio: 'pipe' })
  let [messages, isLate] = ['', false]
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child.pid)
  }
  const limit = setTimeout(() => {
    isLate = true
    stop()
  }, connectMs)
  // a connection that was refused or has ended takes no more
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => {
    messages += chunk.toString()
    if (messages.includes('succeeded!')) clearTimeout(limit)
  })
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => {
      resolve(message)
    })
    child.on('close', () => {
      clearTimeout(limit)
      resolve(
        messages.includes('succeeded!') ? undefined : `dial tcp ${target}: ${reasonOf(messages, isLate)}`,
      )
    })
  })
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
  stream.on('error', stop)
  stream.on('close', stop)
  return { stream, failure: () => ended }
}

/** The last words of nc, which are those of strerror(3). */
function reasonOf(messages: string, isLate: boolean): string {
  if (isLate) return 'i/o timeout'
  return `connect: ${(messages.trim().split(': ').at(-1) ?? '').toLowerCase()}`
}
