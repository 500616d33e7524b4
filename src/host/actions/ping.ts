import type { Action, Outcome, RequestResult } from '../../results/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import { repeated, type Repetition } from './repetition.js'

type PingAction = Extract<Action, { kind: 'ping' }>

/** The arguments of ping (iputils), as a person would type them. */
export function pingArguments(action: PingAction): string[] {
  return ['-n', '-c', String(action.count), '-i', '0.2', '-W', String(action.timeoutSeconds), action.host]
}

/** Sends `count` echo requests, as often as requested. */
export async function runPing(
  sandbox: Sandbox,
  netns: string,
  action: PingAction,
  repetition: Repetition,
): Promise<RequestResult[]> {
  return repeated(repetition, async () => {
    const quietMs = (action.timeoutSeconds + action.count) * 1000 + longestCommandMs
    const result = await sandbox.run(['ping', ...pingArguments(action)], {
      netns,
      files: netns,
      quietMs,
      tool: true,
    })
    return {
      outcome: pingOutcome(result.exitCode, result.stdout + result.stderr),
      exitCode: result.exitCode,
      stdout: result.stdout,
      stderr: result.stderr,
      durationMs: result.durationMs,
      remote: { address: action.host },
    }
  })
}

/** Exit codes of ping(8): 0 an answer, 1 no answer; ICMP errors are in the text. */
function pingOutcome(exitCode: number, text: string): Outcome {
  if (exitCode === 0) return 'answered'
  if (/port unreachable/i.test(text)) return 'refused'
  if (/unreachable|prohibited|no route/i.test(text)) return 'unreachable'
  return exitCode === 1 ? 'timeout' : 'failed'
}
