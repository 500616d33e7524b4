import { actionArguments } from '../../host/actions/index.js'
import { shellWords } from '../file/shellWords.js'
import { changeText } from '../changes/changeText.js'
import type { Action } from '../../results/request.js'
import type { StepAction } from '../types.js'

/** An action as the command that ran, to try it by hand: curl also prints the headers, and nc reads what was sent. */
export function describeAction(action: StepAction): string {
  switch (action.kind) {
    case 'load':
      return describeAction(action.request)
    case 'change':
    case 'wait':
    case 'stop':
      return changeText(action)
    default:
      return shellWords(words(action))
  }
}

function words(action: Action): string[] {
  const argv = actionArguments(action)
  if (action.kind === 'curl') return ['curl', '-v', ...argv.slice(1)]
  return action.kind === 'nc'
    ? ['sh', '-c', `printf '%s\\n' ${shellWords([action.send])} | ${shellWords(argv)}`]
    : argv
}
