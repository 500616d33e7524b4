import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { execa } from 'execa'
import { internalError, StatusError } from '../../apiserver/status.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { WriteResult } from '../../apiserver/write/writer.js'
import { kubeconfig } from '../../apiserver/kubeconfig.js'
import type { KubeObject } from '../../cluster/types.js'
import { CommandError } from '../../errors.js'
import { asTool } from '../environment.js'
import { logReadme } from '../../topology/planContainers.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { makeCertificate } from '../certificate.js'
import type { LabContainer } from '../kubeApi/pods/labContainers.js'
import { securePortOf } from '../kubeApi/securePort.js'
import { adminKubeconfigPath, apiUrl, kubeconfigPath } from './apiAddress.js'
import {
  apiListens,
  type ApiAccess,
  type ApiContainers,
  type ApiObjects,
  type ApiResult,
  type ApiStart,
  type ApiWrite,
} from './apiOrder.js'
import { cliPath } from '../builtFiles.js'

/** The API server of a lab: a process of its own in the sandbox's first network namespace. */
export interface ApiProcess {
  /** URL for every node, client and pod. */
  readonly url: string
  /** The kubeconfig for kubectl in this lab. */
  readonly kubeconfig: string
  /** A kubeconfig for another way to its HTTPS port, on 127.0.0.1; `name` is that of cluster, user and context. */
  kubeconfigAt(url: string, name: string): string
  /** Replaces all objects of the API by those of a state; states are numbered in order, from 1. */
  replace(objects: readonly KubeObject[], state: number): void
  /** Replaces the containers whose logs it serves and in which it runs commands. */
  showContainers(containers: readonly LabContainer[]): void
  /** Handles writes from now on; until then they are answered with 503. */
  serveWrites(handler: WriteHandler): void
}

/** Makes a write that is based on a state; resolves after `replace` was called with its result. */
export type WriteHandler = (write: ObjectWrite, state: number) => Promise<WriteResult>

/** Options of a lab's API server. */
export interface ApiOptions {
  /** Name of the lab: cluster, user and context of the kubeconfig. */
  readonly name: string
  /** The fabric's own address: nothing outside the sandbox can reach it. */
  readonly host: string
  readonly port: number
  readonly objects: readonly KubeObject[]
  readonly builtIn: readonly KubeObject[]
  /** Serve writes too, to clients with the token of the kubeconfig. */
  readonly writable: boolean
}

/** How long the output of an API process that has ended is read, if its end does not come. */
const lastOutputMs = 2000
/** How long a server that ended is not started again, if it had been started again before. */
const restartMs = 1000

/**
 * Starts the API server, writes the kubeconfig, and resolves once it listens; rejects with CommandError if it ends before.
 * Later it is started again when it ends, as kubelet does with a static pod, until the sandbox ends.
 */
export async function startApiProcess(sandbox: Sandbox, options: ApiOptions): Promise<ApiProcess> {
  const { name, host, port, builtIn, writable } = options
  const url = apiUrl(host, port)
  let access: ApiAccess | undefined
  let shown: ApiObjects = { objects: options.objects, state: 0 }
  let containers: readonly LabContainer[] = []
  let handler: WriteHandler = () => Promise.resolve({ status: notReady().status })
  const begin = (): ApiStart => {
    if (writable)
      access ??= {
        ...makeCertificate({ hosts: [host, '127.0.0.1', 'localhost'], days: 365 }, new Date()),
        token: randomBytes(32).toString('hex'),
      }
    return { ...shown, builtIn, access }
  }
  const start = () => startServer(sandbox, { host, port }, begin, (write, state) => handler(write, state))
  // it watches this folder, and cannot make it
  if (writable) await sandbox.writeFiles([logReadme])
  const started = start()
  const forReading = kubeconfig(url, name)
  const forKubectl =
    access === undefined ? forReading : kubeconfig(apiUrl(host, securePortOf(port), 'https'), name, access)
  await sandbox.writeFiles([
    { path: kubeconfigPath, text: forReading },
    { path: adminKubeconfigPath, text: forKubectl },
  ])
  let server = await started
  void keepRunning()
  return {
    url,
    kubeconfig: forKubectl,
    kubeconfigAt: (at, user) => kubeconfig(at, user, access),
    replace(objects, state) {
      shown = { objects, state }
      server.send(shown)
    },
    showContainers(given) {
      if (isDeepStrictEqual(given, containers)) return
      containers = given
      server.send({ containers })
    },
    serveWrites(made) {
      handler = made
    },
  }

  async function keepRunning(): Promise<void> {
    for (let first = true; ; first = false) {
      await server.exited
      if (!first) await delay(restartMs, undefined, { ref: false })
      if (!sandbox.alive()) return
      const again = await start().catch(() => undefined)
      if (again === undefined) continue
      server = again
      // they may have changed before it listened
      server.send(shown)
      server.send({ containers })
    }
  }
}

interface ApiServer {
  readonly exited: Promise<unknown>
  send(order: ApiStart | ApiObjects | ApiContainers | ApiResult): void
}

/**
 * Resolves once a server listens. A process cannot listen in a namespace that it is not in, so this is `vethlab serve-api`, fed
 * over its standard input. It ends with the sandbox.
 */
async function startServer(
  sandbox: Sandbox,
  { host, port }: Pick<ApiOptions, 'host' | 'port'>,
  begin: () => ApiStart,
  handler: WriteHandler,
): Promise<ApiServer> {
  const argv = [process.execPath, cliPath(), 'serve-api', '--host', host, '--port', String(port)]
  const [file = '', ...rest] = sandbox.command(argv)
  const child = execa(file, rest, {
    ...asTool(),
    stdin: 'pipe',
    buffer: { stdout: false, stderr: true },
    cleanup: false,
    detached: true,
  })
  const exited = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
  // it may end before it has read everything: its exit is reported below
  child.stdin.on('error', () => undefined)
  const send: ApiServer['send'] = (order) => void child.stdin.write(`${JSON.stringify(order)}\n`)
  // listen at once: otherwise execa or readline drop the output before the next await ends
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  send(begin())
  // leaving a `for await` would end the output
  const first = await Promise.race([output.next(), exited])
  if (first?.value === apiListens) {
    void serveWrites(output, handler, send)
    return { exited, send }
  }
  // a process that it has started can hold its outputs open: only what it has written so far is reported
  const release = setTimeout(() => [child.stdout, child.stderr].forEach((one) => one.destroy()), lastOutputMs)
  const { exitCode, signal, stderr } = await child
  clearTimeout(release)
  throw new CommandError({ what: "the lab's Kubernetes API", argv, exitCode, signal, stderr })
}

/** Answers the writes of the API process, until it ends; writes are made at the same time. */
async function serveWrites(
  lines: AsyncIterator<string>,
  handler: WriteHandler,
  send: (result: ApiResult) => void,
): Promise<void> {
  const answer = async (line: string) => {
    const { id, write, state } = JSON.parse(line) as ApiWrite
    const failed = (error: unknown): WriteResult => ({ status: internalError(error).status })
    send({ id, result: await handler(write, state).catch(failed) })
  }
  for (let line = await lines.next(); line.done !== true; line = await lines.next())
    // the process is inside the sandbox: a line that it did not write is ignored
    answer(line.value).catch(() => undefined)
}

function notReady(): StatusError {
  return new StatusError(503, 'ServiceUnavailable', 'the lab is starting', { retryAfterSeconds: 1 })
}
