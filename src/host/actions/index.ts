import type { Action, RequestResult } from '../../results/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { readText } from '../readText.js'
import { curlArguments, runCurl } from './curl.js'
import { ncArguments, runNc } from './nc.js'
import { pingArguments, runPing } from './ping.js'
import { repeated, type Repetition } from './repetition.js'

/** The command line of an action, as a person would type it in the place that acts. */
export function actionArguments(action: Action): string[] {
  switch (action.kind) {
    case 'curl':
      return ['curl', ...curlArguments(action)]
    case 'nc':
      return ['nc', ...ncArguments(action)]
    case 'ping':
      return ['ping', ...pingArguments(action)]
    case 'command':
      return [...action.argv]
  }
}

/** Tools that an action needs on this host; users install those of their own commands. */
export function actionTool(action: Action): string | undefined {
  return action.kind === 'command' ? undefined : action.kind
}

/** Runs an action in a namespace, as often as requested; failures are results, not errors. */
export async function runAction(
  sandbox: Sandbox,
  { netns, hostname }: { readonly netns: string; readonly hostname?: string | undefined },
  action: Action,
  repetition: Repetition,
): Promise<RequestResult[]> {
  switch (action.kind) {
    case 'curl':
      return runCurl(sandbox, netns, action, repetition)
    case 'nc':
      return runNc(sandbox, netns, action, repetition)
    case 'ping':
      return runPing(sandbox, netns, action, repetition)
    case 'command':
      return runCommand(sandbox, { netns, hostname }, action, repetition)
  }
}

async function runCommand(
  sandbox: Sandbox,
  place: { readonly netns: string; readonly hostname?: string | undefined },
  action: Extract<Action, { kind: 'command' }>,
  repetition: Repetition,
): Promise<RequestResult[]> {
  return repeated(repetition, async () => {
    const result = await sandbox.run(action.argv, {
      ...(action.stdin === undefined ? {} : { input: readText(action.stdin) }),
      ...place,
      files: place.netns,
      timeoutMs: action.timeoutSeconds * 1000,
    })
    return {
      outcome: result.timedOut ? 'timeout' : result.exitCode === 0 ? 'answered' : 'failed',
      exitCode: result.exitCode,
      stdout: result.stdout,
      stderr: result.stderr,
      durationMs: result.durationMs,
    }
  })
}
