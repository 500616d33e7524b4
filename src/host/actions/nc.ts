import type { Action, Outcome, RequestResult } from '../../results/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { parseEcho } from './echo.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import { repeated, type Repetition } from './repetition.js'

type NcAction = Extract<Action, { kind: 'nc' }>

/** The arguments of netcat (OpenBSD's), as a person would type them. */
export function ncArguments(action: NcAction): string[] {
  // over UDP only silence ends an exchange: -W ends it after one answer, unless -v sends probes of its own first
  const flags = action.udp ? ['-u', '-n'] : ['-N', '-n', '-v']
  return [
    ...flags,
    // whole seconds: shorter ones are kept from outside
    ...['-w', String(Math.ceil(action.timeoutSeconds))],
    ...(action.udp ? ['-W', '1'] : []),
    ...(action.sourcePort === undefined ? [] : ['-p', String(action.sourcePort)]),
    action.host,
    String(action.port),
  ]
}

/** One exchange per repetition: send the text, read until the other side ends it (TCP) or has answered once (UDP). */
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

/** It ends by itself after whole seconds of silence; only a server that goes on sending keeps it longer. */
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
  if (/unreachable|no route/i.test(stderr)) return 'unreachable'
  if (/reset/i.test(stderr)) return 'reset'
  if (timedOut || /timed out|in progress/i.test(stderr)) return 'timeout'
  if (stdout !== '') return 'answered'
  const waited = durationMs >= action.timeoutSeconds * 1000
  if (waited) return 'timeout'
  // a connected UDP socket learns of an ICMP port unreachable when it reads: netcat then ends at once, without a word
  if (action.udp) return 'refused'
  return exitCode === 0 ? 'answered' : 'failed'
}
