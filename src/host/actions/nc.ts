import { addressFamily } from '../../net/ranges.js'
import type { Action, Outcome, RequestResult } from '../../results/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { parseEcho } from './echo.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import { repeated, type Repetition } from './repetition.js'

type NcAction = Extract<Action, { kind: 'nc' }>

/** The arguments of netcat (OpenBSD's), as a person would type them. */
export function ncArguments(action: NcAction): string[] {
  // a UDP exchange ends after one answer (-W); with -v, nc would send probes first
  const flags = action.udp ? ['-u'] : ['-N', '-v']
  return [
    ...flags,
    // a name is resolved in the place that acts
    ...(addressFamily(action.host) === undefined ? [] : ['-n']),
    // whole seconds: nc takes no fractions
    ...['-w', String(Math.ceil(action.timeoutSeconds))],
    ...(action.udp ? ['-W', '1'] : []),
    ...(action.sourcePort === undefined ? [] : ['-p', String(action.sourcePort)]),
    action.host,
    String(action.port),
  ]
}

/** One exchange per repetition: sends the text, reads until the other side closes (TCP) or has answered once (UDP). */
export async function runNc(
  sandbox: Sandbox,
  netns: string,
  action: NcAction,
  repetition: Repetition,
): Promise<RequestResult[]> {
  return repeated(repetition, () => exchange(sandbox, netns, action))
}

async function exchange(sandbox: Sandbox, netns: string, action: NcAction): Promise<RequestResult> {
  const argv = ['nc', ...ncArguments(action)]
  const limits = limitsOf(action.timeoutSeconds)
  const result = await sandbox.run(argv, { netns, files: netns, input: `${action.send}\n`, ...limits })
  const echo = parseEcho(result.stdout)
  return {
    outcome: ncOutcome(action, result),
    exitCode: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    durationMs: result.durationMs,
    remote: { address: action.host, port: action.port },
    ...(echo === undefined ? {} : { echo }),
  }
}

/** nc ends after whole seconds without data; it takes longer only if the server continues to send. */
function limitsOf(seconds: number) {
  const ms = seconds * 1000
  return Number.isInteger(seconds)
    ? { quietMs: ms + longestCommandMs, timeoutMs: ms + longestCommandMs + 1 }
    : { timeoutMs: ms }
}

function ncOutcome(
  action: NcAction,
  {
    exitCode,
    stdout,
    stderr,
    timedOut,
    durationMs,
  }: { exitCode: number; stdout: string; stderr: string; timedOut: boolean; durationMs: number },
): Outcome {
  if (/refused/i.test(stderr)) return 'refused'
  if (/unreachable|no route|failed: permission denied/i.test(stderr)) return 'unreachable'
  if (/reset/i.test(stderr)) return 'reset'
  if (timedOut || /timed out|in progress/i.test(stderr)) return 'timeout'
  if (stdout !== '') return 'answered'
  const waited = durationMs >= action.timeoutSeconds * 1000
  if (waited) return 'timeout'
  // a connected UDP socket gets an ICMP port unreachable as an error of read: netcat then ends at once, without a message
  if (action.udp) return 'refused'
  return exitCode === 0 ? 'answered' : 'failed'
}
