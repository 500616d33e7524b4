import type { Container, Probe } from '../../cluster/types.js'
import { askGrpc } from './grpcProbe.js'
import { hostText } from '../../net/hostText.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { CommandResult } from '../sandbox/commandResult.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import type { ProbedPod } from './types.js'

/**
 * Runs a probe once, as kubelet does: a status of 200 to 399, an opened connection, exit code 0, or gRPC status SERVING is
 * success. Returns undefined then, and otherwise what kubelet's Event says.
 */
export async function askProbe(
  sandbox: Sandbox,
  pod: ProbedPod,
  container: Container,
  probe: Probe,
): Promise<string | undefined> {
  const seconds = probe.timeoutSeconds ?? 1
  if (probe.exec !== undefined) {
    const { exitCode, stdout, stderr } = await pod.run(probe.exec.command, seconds * 1000)
    return exitCode === 0 ? undefined : stdout + stderr
  }
  if (probe.grpc !== undefined) return askGrpc(sandbox, pod, probe.grpc, seconds)
  const target = targetOf(pod, container, probe)
  if (target === undefined) return "couldn't find the port of the probe"
  const argv = networkProbe(target, probe, seconds)
  // the tool ends after the probe's time limit; on a busy host, its start alone may take longer
  const result = await sandbox.run(argv, {
    netns: pod.nodeNetns,
    timeoutMs: seconds * 1000 + longestCommandMs,
  })
  if (result.exitCode !== 0) return connectionFailure(target, probe, result)
  if (probe.httpGet === undefined) return undefined
  const status = Number(result.stdout)
  return status >= 200 && status < 400 ? undefined : `HTTP probe failed with statuscode: ${status}`
}

interface Target {
  /** `address:port`. */
  readonly socket: string
  readonly host: string
  readonly port: number
  /** Of an HTTP probe. */
  readonly url: string
}

/** What an HTTP or TCP probe connects to; undefined for a port name that the container does not have. */
function targetOf(pod: ProbedPod, container: Container, { httpGet, tcpSocket }: Probe): Target | undefined {
  const given = httpGet ?? tcpSocket
  const port = given && portNumber(container, given.port)
  if (given === undefined || port === undefined) return undefined
  const host = given.host ?? pod.address
  const socket = `${hostText(host)}:${port}`
  return {
    socket,
    host,
    port,
    url: `${(httpGet?.scheme ?? 'HTTP').toLowerCase()}://${socket}${httpGet?.path ?? '/'}`,
  }
}

function networkProbe({ host, port, url }: Target, { httpGet }: Probe, seconds: number): string[] {
  if (httpGet === undefined) return ['nc', '-v', '-z', '-n', '-w', String(seconds), host, String(port)]
  return [
    ...['curl', '--disable', '--silent', '--globoff', '--noproxy', '*', '--insecure'],
    ...['--max-time', String(seconds), '--output', '/dev/null', '--write-out', '%{http_code}'],
    ...['--user-agent', 'kube-probe/1.36'],
    ...(httpGet.httpHeaders ?? []).flatMap(({ name, value }) => ['--header', `${name}: ${value}`]),
    url,
  ]
}

/** curl's exit codes, as errors of Go's HTTP client. */
const httpFailures: Readonly<Record<number, string>> = {
  28: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  52: 'EOF',
  56: 'read: connection reset by peer',
}

function connectionFailure(
  { socket, url }: Target,
  { httpGet }: Probe,
  { exitCode, stderr }: Pick<CommandResult, 'exitCode' | 'stderr'>,
): string {
  const refused = `dial tcp ${socket}: connect: connection refused`
  if (httpGet === undefined) return /refused/.test(stderr) ? refused : `dial tcp ${socket}: i/o timeout`
  return `Get "${url}": ${httpFailures[exitCode] ?? (exitCode === 7 ? refused : `curl exit code ${exitCode}`)}`
}

function portNumber(container: Container, port: number | string): number | undefined {
  if (typeof port === 'number') return port
  return container.ports?.find(({ name }) => name === port)?.containerPort
}
