import type { Container } from '../types.js'
import { validateProbe } from './probe.js'
import { append, duplicate, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, portName, portNumber } from './formats.js'

/** Checks the containers of a pod; names are unique among all its containers. */
export function validateContainers(
  path: Path,
  containers: readonly Container[],
  names: Set<string>,
): FieldError[] {
  return containers.flatMap((container, index) => {
    const at = [...path, index]
    const errors = validateName([...at, 'name'], container.name, names)
    if (container.image === '') errors.push(required([...at, 'image']))
    append(errors, validatePorts([...at, 'ports'], container))
    append(errors, validateEnv([...at, 'env'], container))
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
      append(errors, validateProbe([...at, probe], container[probe]))
    errors.push(
      ...oneOf([...at, 'imagePullPolicy'], text(container['imagePullPolicy']), [
        'Always',
        'IfNotPresent',
        'Never',
      ]),
    )
    return errors
  })
}

function validateName(path: Path, name: string, names: Set<string>): FieldError[] {
  if (name === '') return [required(path)]
  const errors = dnsLabel(name).map((detail) => invalid(path, name, detail))
  if (names.has(name)) errors.push(duplicate(path, name))
  names.add(name)
  return errors
}

function validatePorts(path: Path, container: Container): FieldError[] {
  const names = new Set<string>()
  return (container.ports ?? []).flatMap((port, index) => {
    const at = [...path, index]
    const errors: FieldError[] = []
    const { name = '', containerPort, hostPort = 0 } = port
    if (name !== '') {
      append(
        errors,
        portName(name).map((detail) => invalid([...at, 'name'], name, detail)),
      )
      if (names.has(name)) errors.push(duplicate([...at, 'name'], name))
      names.add(name)
    }
    if (containerPort === 0) errors.push(required([...at, 'containerPort']))
    else
      errors.push(
        ...portNumber(containerPort).map((detail) =>
          invalid([...at, 'containerPort'], containerPort, detail),
        ),
      )
    if (hostPort !== 0)
      append(
        errors,
        portNumber(hostPort).map((detail) => invalid([...at, 'hostPort'], hostPort, detail)),
      )
    append(errors, oneOf([...at, 'protocol'], port.protocol, ['SCTP', 'TCP', 'UDP']))
    return errors
  })
}

function validateEnv(path: Path, container: Container): FieldError[] {
  return (container.env ?? []).flatMap((variable, index) => {
    const at = [...path, index]
    if (variable.name === '') return [required([...at, 'name'])]
    const errors: FieldError[] = []
    if (!/^[ -<>-~]+$/.test(variable.name))
      errors.push(
        invalid(
          [...at, 'name'],
          variable.name,
          "a valid environment variable name must consist only of printable ASCII characters other than '='",
        ),
      )
    if (variable.value !== undefined && variable.value !== '' && variable.valueFrom !== undefined)
      errors.push(forbidden([...at, 'valueFrom'], 'may not be specified when `value` is not empty'))
    return errors
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
