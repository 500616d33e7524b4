import { secondsOf } from './duration.js'
import type { StepFile } from './schema.js'
import type { Action, Step } from './types.js'

/** Seconds that a transfer, an exchange, an echo request may take unless the step says otherwise. */
const requestTimeout = 5
const commandTimeout = 30

/** A step as written, with its defaults filled in; names in braces stay as they are. */
export function toStep(given: StepFile, path: Step['path']): Step {
  const action = toAction(given)
  return {
    name: given.name,
    from: given.from,
    action,
    repeat: given.repeat ?? 1,
    expect: given.expect ?? (action.kind === 'command' ? { exitCode: 0 } : { answered: true }),
    path,
  }
}

function toAction({ curl, nc, ping, command }: StepFile): Action {
  const seconds = (timeout: number | string | undefined, otherwise: number) =>
    timeout === undefined ? otherwise : secondsOf(timeout)
  if (curl !== undefined) {
    const { url, method, headers, body, timeout } = typeof curl === 'string' ? { url: curl } : curl
    return {
      kind: 'curl',
      url,
      method,
      headers: headers ?? {},
      body,
      timeoutSeconds: seconds(timeout, requestTimeout),
    }
  }
  if (nc !== undefined) {
    const { host, port, udp, send, timeout } = nc
    return {
      kind: 'nc',
      host,
      ...(typeof port === 'number' ? { port } : { port: 0, portText: port }),
      udp: udp ?? false,
      send: send ?? '',
      timeoutSeconds: seconds(timeout, requestTimeout),
    }
  }
  if (ping !== undefined) {
    const { host, count, timeout } = typeof ping === 'string' ? { host: ping } : ping
    return { kind: 'ping', host, count: count ?? 1, timeoutSeconds: seconds(timeout, requestTimeout) }
  }
  const { argv, timeout } = Array.isArray(command) ? { argv: command } : (command ?? { argv: [] })
  return { kind: 'command', argv, timeoutSeconds: seconds(timeout, commandTimeout) }
}
