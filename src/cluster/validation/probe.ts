import type { Probe } from '../types.js'
import { append, atLeast, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { portName, portNumber } from './formats.js'

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const

/** Checks a probe: exactly one way to ask, sensible numbers. */
export function validateProbe(path: Path, probe: Probe | undefined): FieldError[] {
  if (probe === undefined) return []
  const [first, ...more] = handlers.filter((handler) => probe[handler] !== undefined)
  if (first === undefined) return [required(path, 'must specify a handler type')]
  return [
    ...validateHandler(path, probe),
    ...more.map((handler) => forbidden([...path, handler], 'may not specify more than 1 handler type')),
    ...(
      [
        'initialDelaySeconds',
        'timeoutSeconds',
        'periodSeconds',
        'successThreshold',
        'failureThreshold',
      ] as const
    ).flatMap((field) => atLeast([...path, field], probe[field], 0)),
  ]
}

function validateHandler(path: Path, probe: Probe): FieldError[] {
  const errors: FieldError[] = []
  if (probe.exec !== undefined && probe.exec.command.length === 0)
    errors.push(required([...path, 'exec', 'command']))
  if (probe.httpGet !== undefined) {
    append(errors, validateNumberOrName([...path, 'httpGet', 'port'], probe.httpGet.port))
    append(errors, oneOf([...path, 'httpGet', 'scheme'], probe.httpGet.scheme, ['HTTP', 'HTTPS']))
  }
  if (probe.tcpSocket !== undefined)
    append(errors, validateNumberOrName([...path, 'tcpSocket', 'port'], probe.tcpSocket.port))
  if (probe.grpc !== undefined)
    append(errors, validateNumberOrName([...path, 'grpc', 'port'], probe.grpc.port))
  return errors
}

function validateNumberOrName(path: Path, port: number | string): FieldError[] {
  const details = typeof port === 'number' ? portNumber(port) : portName(port)
  return details.map((detail) => invalid(path, port, detail))
}
