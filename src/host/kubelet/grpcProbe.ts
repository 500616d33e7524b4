import type { Probe } from '../../cluster/types.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import type { ProbedPod } from './types.js'
import { hostText } from '../../net/hostText.js'

/** A HealthCheckResponse whose status is SERVING (grpc/health/v1/health.proto): field 1, a varint, is 1. */
const serving = Buffer.from([0x08, 1])

/**
 * Checks a server's health over HTTP/2 without TLS, as kubelet's gRPC probe does (pkg/probe/grpc); undefined if it serves,
 * otherwise what kubelet's Event says.
 */
export async function askGrpc(
  sandbox: Sandbox,
  { address, nodeNetns }: ProbedPod,
  { port, service = '' }: NonNullable<Probe['grpc']>,
  seconds: number,
): Promise<string | undefined> {
  const argv = [
    ...['curl', '--disable', '--silent', '--globoff', '--noproxy', '*', '--http2-prior-knowledge'],
    ...['--max-time', String(seconds), '--user-agent', 'kube-probe/1.36'],
    ...['--header', 'content-type: application/grpc', '--header', 'te: trailers', '--data-binary', '@-'],
    `http://${hostText(address)}:${port}/grpc.health.v1.Health/Check`,
  ]
  const { exitCode, stdout } = await sandbox.run(argv, {
    netns: nodeNetns,
    timeoutMs: seconds * 1000 + longestCommandMs,
    input: framed(healthRequest(service)),
  })
  if (exitCode !== 0)
    return `timeout: failed to connect service "${hostText(address)}:${port}" within ${seconds}s: context deadline exceeded`
  return stdout === framed(serving).toString()
    ? undefined
    : 'service unhealthy (responded with "NOT_SERVING")'
}

/** A HealthCheckRequest: field 1 is the name of the service; empty if the name is empty. */
function healthRequest(service: string): Buffer {
  const name = Buffer.from(service)
  return name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

/** A gRPC message frame: compression flag 0, length in four bytes, message. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}
