import { toChange } from '../changes/toChange.js'
import { secondsOf } from './duration.js'
import type { RequestFile } from './requestSchema.js'
import type { StepFile } from './schema.js'
import type { Action } from '../../results/request.js'
import type { Step, StepAction } from '../types.js'

/** Seconds that a transfer, an exchange or an echo request may take by default. */
const requestTimeout = 30
const commandTimeout = 30

/** The maximum number of requests of a step; for loads, whose number is not known beforehand. */
const manyRequests = 10_000

/** A step as written, with its defaults filled in; names in braces stay as they are. */
export function toStep(given: StepFile, path: Step['path']): Step {
  const action = toChange(given, path, toAction) ?? toAction(given)
  return {
    name: given.name,
    from: given.from,
    action,
    repeat: given.repeat ?? 1,
    ...(given.modes === undefined ? {} : { modes: given.modes }),
    ...(given.versions === undefined ? {} : { versions: given.versions }),
    expect: given.expect ?? usualExpectation(action),
    path,
  }
}

/** The default expectation: none for changes and waits, which are always checked, and for loads, which are checked when they end. */
function usualExpectation(action: StepAction): Step['expect'] {
  if (action.kind === 'command') return { exitCode: 0 }
  return isRequest(action) ? { answered: true } : {}
}

/** How many requests a step's expectations evaluate, as far as it is known before the step runs. */
export function requestsOf({ action, repeat }: Pick<Step, 'action' | 'repeat'>): number {
  return action.kind === 'load' || action.kind === 'stop' ? manyRequests : repeat
}

/** True for actions that a place of the lab runs. */
export function isRequest(action: StepAction): action is Action {
  return ['curl', 'nc', 'ping', 'command'].includes(action.kind)
}

function toAction({ curl, nc, ping, command }: RequestFile): Action {
  const seconds = (timeout: number | string | undefined, otherwise: number) =>
    timeout === undefined ? otherwise : secondsOf(timeout)
  if (curl !== undefined) {
    const { url, method, headers, body, timeout, ...more } = typeof curl === 'string' ? { url: curl } : curl
    return {
      kind: 'curl',
      url,
      method,
      headers: headers ?? {},
      body,
      ...more,
      timeoutSeconds: seconds(timeout, requestTimeout),
    }
  }
  if (nc !== undefined) {
    const { host, port, udp, sourcePort, send, timeout } = nc
    return {
      kind: 'nc',
      host,
      ...(typeof port === 'number' ? { port } : { port: 0, portText: port }),
      udp: udp ?? false,
      ...(sourcePort === undefined ? {} : { sourcePort }),
      send: send ?? '',
      timeoutSeconds: seconds(timeout, requestTimeout),
    }
  }
  if (ping !== undefined) {
    const { host, count, timeout } = typeof ping === 'string' ? { host: ping } : ping
    return { kind: 'ping', host, count: count ?? 1, timeoutSeconds: seconds(timeout, requestTimeout) }
  }
  const { argv, timeout, ...more } = Array.isArray(command) ? { argv: command } : (command ?? { argv: [] })
  return { kind: 'command', argv, ...more, timeoutSeconds: seconds(timeout, commandTimeout) }
}
