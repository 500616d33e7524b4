import { isRecord } from '../manifests/loose.js'
import { forbidden, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { headerName, portName, portNumber } from './formats.js'
import { each, fields, nonNegative, number, supported, type Rule } from './rules.js'

const port: Rule = (path, value) => {
  const details = typeof value === 'number' ? portNumber(value) : portName(String(value))
  return details.map((detail) => invalid(path, value, detail))
}

/** What a probe or a hook does, in the order in which the API server looks at them (validateHandler). */
const handlers: Readonly<Record<string, Rule>> = {
  exec: (path, value) =>
    isRecord(value) && Array.isArray(value['command']) && value['command'].length > 0
      ? []
      : [required([...path, 'command'])],
  httpGet: fields({
    port,
    scheme: supported(['HTTP', 'HTTPS']),
    // the errors have the path of the list
    httpHeaders: (path, value) => each(fields({ name: headerRule(path) }))(path, value),
  }),
  tcpSocket: fields({ port }),
  grpc: fields({ port }),
}

function headerRule(list: Path): Rule {
  return (_, name) => headerName(String(name)).map((detail) => invalid(list, name, detail))
}

const numbers = fields({
  initialDelaySeconds: nonNegative,
  timeoutSeconds: nonNegative,
  periodSeconds: nonNegative,
  successThreshold: nonNegative,
  failureThreshold: nonNegative,
  terminationGracePeriodSeconds: number((value) => value > 0, 'must be greater than 0'),
})

/** Validates a probe: exactly one handler, valid numbers (validateProbe). */
export function validateProbe(path: Path, probe: unknown): FieldError[] {
  if (!isRecord(probe)) return []
  const { successThreshold = 1, terminationGracePeriodSeconds: grace } = probe
  const errors = [...validateHandler(path, probe, handlers), ...numbers(path, probe)]
  const isReadiness = path.at(-1) === 'readinessProbe'
  if (!isReadiness && successThreshold !== 1)
    errors.push(invalid([...path, 'successThreshold'], successThreshold, 'must be 1'))
  if (isReadiness && grace !== undefined)
    errors.push(
      invalid([...path, 'terminationGracePeriodSeconds'], grace, 'must not be set for readinessProbes'),
    )
  return errors
}

/** Validates a lifecycle hook; it may sleep no longer than the grace period of the pod. */
export function validateHook(path: Path, hook: unknown, gracePeriod = 30): FieldError[] {
  if (!isRecord(hook)) return []
  const sleep: Rule = (at, value) => {
    const seconds = isRecord(value) && typeof value['seconds'] === 'number' ? value['seconds'] : 0
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`
    return seconds >= 0 && seconds <= gracePeriod ? [] : [invalid(at, seconds, detail)]
  }
  const { grpc: _grpc, ...others } = handlers
  return validateHandler(path, hook, { ...others, sleep })
}

function validateHandler(
  path: Path,
  written: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): FieldError[] {
  const [first, ...more] = Object.keys(rules).filter((kind) => written[kind] !== undefined)
  if (first === undefined) return [required(path, 'must specify a handler type')]
  return [
    ...(rules[first]?.([...path, first], written[first]) ?? []),
    ...more.map((kind) => forbidden([...path, kind], 'may not specify more than 1 handler type')),
  ]
}
