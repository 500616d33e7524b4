import { joinHostPort } from '../../net/socketText.js'
import { createInterface } from 'node:readline/promises'
import { execa } from 'execa'
import { kubeconfig } from '../../apiserver/kubeconfig.js'
import type { KubeObject } from '../../cluster/types.js'
import { CommandError } from '../../errors.js'
import { asTool } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { apiListens, type ApiOrder } from './apiOrder.js'
import { cliPath } from './cliPath.js'

/** Path of the lab's kubeconfig inside the sandbox. */
export const kubeconfigPath = '/run/vethlab/kubeconfig'

/**
 * The environment for kubectl in a lab: it connects to that lab, and writes nothing to the user's home. HTTP proxies of the
 * host cannot be reached from inside.
 */
export const kubectlEnvironment: Readonly<Record<string, string>> = {
  KUBECONFIG: kubeconfigPath,
  KUBECACHEDIR: '/run/vethlab/kube-cache',
  NO_PROXY: '*',
  no_proxy: '*',
}

/** The API server of a lab: a process of its own in the sandbox's first network namespace. */
export interface ApiProcess {
  /** URL for every node, client and pod. */
  readonly url: string
  /** Replaces all objects of the API. */
  replace(objects: readonly KubeObject[]): void
}

/** Options of a lab's API server. */
export interface ApiOptions {
  /** Name of the lab: cluster, user and context of the kubeconfig. */
  readonly name: string
  /** The fabric's own address: nothing outside the sandbox can reach it. */
  readonly host: string
  readonly port: number
  readonly objects: readonly KubeObject[]
  readonly standing: readonly KubeObject[]
}

/**
 * Starts the API server, writes the kubeconfig, and resolves once it listens. A process cannot listen in a namespace
 * that it is not in, so this is `vethlab serve-api`, fed over its standard input. It ends with the sandbox.
 */
export async function startApiProcess(sandbox: Sandbox, options: ApiOptions): Promise<ApiProcess> {
  const { name, host, port, objects, standing } = options
  const url = apiUrl(host, port)
  const argv = [process.execPath, cliPath(), 'serve-api', '--host', host, '--port', String(port)]
  const [file = '', ...rest] = sandbox.command(argv)
  const child = execa(file, rest, {
    ...asTool(),
    stdin: 'pipe',
    buffer: { stdout: false, stderr: true },
    cleanup: false,
    detached: true,
  })
  // it may end before it has read everything: its exit is reported below
  child.stdin.on('error', () => undefined)
  const send = (order: ApiOrder) => child.stdin.write(`${JSON.stringify(order)}\n`)
  // listen at once: otherwise execa or readline drop the output before the next await ends
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  send({ objects, standing })
  await sandbox.writeFiles([{ path: kubeconfigPath, text: kubeconfig(url, name) }])
  for await (const line of output) {
    if (line !== apiListens) continue
    child.stdout.resume()
    return { url, replace: (replaced) => void send({ objects: replaced }) }
  }
  const { exitCode, signal, stderr } = await child
  throw new CommandError({ what: "the lab's Kubernetes API", argv, exitCode, signal, stderr })
}

/** URL of an API server; an IPv6 address in brackets. */
export function apiUrl(host: string, port: number): string {
  return `http://${joinHostPort(host, port)}`
}
