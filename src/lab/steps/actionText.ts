import { connectionArguments } from '../../host/actions/curl.js'
import { shellWords } from '../file/shellWords.js'
import { changeText } from '../changes/changeText.js'
import type { Action } from '../../results/request.js'
import type { StepAction } from '../types.js'

/** An action as a short command to try it by hand; only shown, never run. */
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
  if (action.kind === 'curl') {
    const method = action.method === undefined ? [] : ['-X', action.method]
    const headers = Object.entries(action.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const body = action.body === undefined ? [] : ['--data-raw', action.body]
    return ['curl', '-v', ...method, ...headers, ...body, ...connectionArguments(action), action.url]
  }
  if (action.kind === 'nc')
    return ['nc', '-v', ...(action.udp ? ['-u'] : []), action.host, String(action.port)]
  if (action.kind === 'ping') return ['ping', '-c', String(action.count), action.host]
  return [...action.argv]
}
