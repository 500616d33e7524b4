import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { CannotRunError, CommandError, InputError } from '../../errors.js'
import { toolEnvironment } from '../environment.js'
import { cliPath } from '../builtFiles.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup } from '../sandbox/toolFailure.js'
import type { RelayFailure, RelayOrder, RelayTarget } from './relayOrder.js'

/** The subcommand of the process in the lab that makes the connections. */
export const relayVerb = 'relay'

/** A port of the host and where its connections go. */
export interface Forward {
  /** 0 for a free port. */
  readonly localPort: number
  readonly target: RelayTarget
}

/** Ports of the host that are forwarded into a lab. */
export interface RunningForward {
  /** The port of each forward, in order. */
  readonly ports: readonly number[]
  /** Resolves when the relay has ended: with its sandbox, or after `stop`. */
  readonly ended: Promise<void>
  stop(): void
}

export interface ForwardOptions {
  /** The network namespace in which connections start; that of the sandbox itself if absent. */
  readonly netns?: string | undefined
  /** The address of the host to listen on. */
  readonly address: string
  readonly forwards: readonly Forward[]
  readonly onFailure: (failure: RelayFailure) => void
}

/**
 * Listens on the host, and starts a process in a network namespace of a lab that accepts the connections. Resolves when all
 * ports are served. Throws CannotRunError for a port that is in use.
 */
export async function startForward(
  sandbox: Pick<Sandbox, 'command'>,
  { netns, address, forwards, onFailure }: ForwardOptions,
): Promise<RunningForward> {
  const servers: Server[] = []
  try {
    for (const { localPort } of forwards) servers.push(await listen(address, localPort))
    const relay = startRelay(sandbox, netns, onFailure)
    await Promise.race([
      Promise.all(servers.map((server, index) => hand(relay, server, forwards[index]?.target))),
      relay.failed,
    ])
    const ports = servers.map((server) => (server.address() as AddressInfo).port)
    // the relay has the sockets: it accepts all connections
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
    return { ports, ended: relay.ended, stop: () => endGroup(relay.child.pid) }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer()
  server.listen({ host, port, ipv6Only: host === '::' })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    throw notListening(host, port, error as NodeJS.ErrnoException)
  }
}

function notListening(host: string, port: number, { code, message }: NodeJS.ErrnoException): Error {
  const where = `port ${port} of ${host}`
  if (code === 'EADDRINUSE')
    return new CannotRunError(
      `${where} is in use by another process`,
      'another port, or :NAME:PORT for a free one',
    )
  if (code === 'EACCES')
    return new CannotRunError(`${where} needs root: ports below 1024 are privileged`, 'a port above 1023')
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new InputError([{ message: `this host has no address ${host}`, hint: 'see `ip address`' }])
  return new CannotRunError(`cannot listen on ${where}: ${message}`)
}

interface Relay {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  /** Rejects when the process ends. */
  readonly failed: Promise<never>
}

function startRelay(
  sandbox: Pick<Sandbox, 'command'>,
  netns: string | undefined,
  onFailure: ForwardOptions['onFailure'],
): Relay {
  const argv = [process.execPath, cliPath(), relayVerb]
  const [file = '', ...rest] = sandbox.command(argv, netns === undefined ? {} : { netns })
  const child = spawn(file, rest, {
    env: toolEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // nsenter forks: the relay is in its process group, and Ctrl-C is for this process
    detached: true,
  })
  child.on('message', (message: RelayFailure | object) => {
    if ('failed' in message) onFailure(message)
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', ({ message }) => {
      stderr += message
      resolve()
    })
  })
  const failed = ended.then((): never => {
    throw new CommandError({
      ...{ what: 'forwarding connections into the lab', argv, stderr },
      ...(netns === undefined ? {} : { netns }),
      ...{ exitCode: child.exitCode ?? undefined, signal: child.signalCode ?? undefined },
    })
  })
  failed.catch(() => undefined)
  return { child, ended, failed }
}

/** Sends a listening socket, and waits until the relay accepts its connections. */
async function hand({ child }: Relay, server: Server, target: RelayTarget | undefined): Promise<void> {
  if (target === undefined) return
  const listens = new Promise<void>((resolve) => {
    const heard = (message: object) => {
      if (!('listens' in message) || message.listens !== target.name) return
      child.off('message', heard)
      resolve()
    }
    child.on('message', heard)
  })
  child.send({ target } satisfies RelayOrder, server)
  await listens
}
