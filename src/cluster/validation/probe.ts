import { isRecord } from '../manifests/loose.js'
import type { Probe } from '../types.js'
import { append, atLeast, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { portName, portNumber } from './formats.js'

/** Validates a probe: exactly one handler, valid numbers. */
export function validateProbe(path: Path, probe: Probe | undefined): FieldError[] {
  if (probe === undefined) return []
  return [
    ...validateHandler(path, probe, ['exec', 'httpGet', 'tcpSocket', 'grpc']),
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

/** Validates a lifecycle hook. */
export function validateHook(path: Path, hook: unknown): FieldError[] {
  if (!isRecord(hook)) return []
  const { sleep } = hook
  const seconds = isRecord(sleep) && typeof sleep['seconds'] === 'number' ? sleep['seconds'] : undefined
  return [
    ...validateHandler(path, hook, ['exec', 'httpGet', 'tcpSocket', 'sleep']),
    ...atLeast([...path, 'sleep', 'seconds'], seconds, 0),
  ]
}

function validateHandler(path: Path, probe: Probe, kinds: readonly string[]): FieldError[] {
  const [first, ...more] = Object.entries(probe).flatMap(([kind, value]) =>
    kinds.includes(kind) && value !== undefined ? [kind] : [],
  )
  if (first === undefined) return [required(path, 'must specify a handler type')]
  const errors = more.map((kind) => forbidden([...path, kind], 'may not specify more than 1 handler type'))
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
