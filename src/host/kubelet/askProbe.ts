import type { Container, Probe } from '../../cluster/types.js'
import { askGrpc } from './grpcProbe.js'
import { hostText } from '../../net/socketText.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ProbedPod } from './types.js'

/** Runs a probe once, as kubelet does; true for a status of 200 to 399, an opened connection, exit code 0, or gRPC status SERVING. */
export async function askProbe(
  sandbox: Sandbox,
  pod: ProbedPod,
  container: Container,
  probe: Probe,
): Promise<boolean> {
  const seconds = probe.timeoutSeconds ?? 1
  if (probe.exec !== undefined) return (await pod.run(probe.exec.command, seconds * 1000)).exitCode === 0
  if (probe.grpc !== undefined) return askGrpc(sandbox, pod, probe.grpc, seconds)
  const argv = networkProbe(pod, container, probe, seconds)
  if (argv === undefined) return false
  const result = await sandbox.run(argv, { netns: pod.nodeNetns, timeoutMs: (seconds + 1) * 1000 })
  if (result.exitCode !== 0) return false
  if (probe.httpGet === undefined) return true
  const status = Number(result.stdout)
  return status >= 200 && status < 400
}

/** The command of an HTTP or TCP probe; undefined for a port name that the container does not have. */
function networkProbe(
  pod: ProbedPod,
  container: Container,
  { httpGet, tcpSocket }: Probe,
  seconds: number,
): string[] | undefined {
  const given = httpGet ?? tcpSocket
  if (given === undefined) return undefined
  const port = portNumber(container, given.port)
  if (port === undefined) return undefined
  const host = given.host ?? pod.address
  if (httpGet === undefined) return ['nc', '-z', '-n', '-w', String(seconds), host, String(port)]
  const url = `${(httpGet.scheme ?? 'HTTP').toLowerCase()}://${hostText(host)}:${port}${httpGet.path ?? '/'}`
  return [
    ...['curl', '--disable', '--silent', '--globoff', '--noproxy', '*', '--insecure'],
    ...['--max-time', String(seconds), '--output', '/dev/null', '--write-out', '%{http_code}'],
    ...['--user-agent', 'kube-probe/1.36'],
    ...(httpGet.httpHeaders ?? []).flatMap(({ name, value }) => ['--header', `${name}: ${value}`]),
    url,
  ]
}

function portNumber(container: Container, port: number | string): number | undefined {
  if (typeof port === 'number') return port
  return container.ports?.find(({ name }) => name === port)?.containerPort
}
