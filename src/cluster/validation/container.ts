import type { Container } from '../types.js'
import { isRecord } from '../manifests/loose.js'
import { validateEnv } from './env.js'
import { validateVolumeMounts } from './volumeMount.js'
import { validateHook, validateProbe } from './probe.js'
import { append, duplicate, invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsLabel, portName, portNumber } from './formats.js'

/** Validates the containers of a pod; names are unique among all its containers, `volumes` are its volume names. */
export function validateContainers(
  path: Path,
  containers: readonly Container[],
  names: Set<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  return containers.flatMap((container, index) => {
    const at = [...path, index]
    const errors = validateName([...at, 'name'], container.name, names)
    if (container.image === '') errors.push(required([...at, 'image']))
    append(errors, validatePorts([...at, 'ports'], container))
    append(errors, validateEnv(at, container))
    append(errors, validateVolumeMounts([...at, 'volumeMounts'], container, volumes))
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
      append(errors, validateProbe([...at, probe], container[probe]))
    for (const hook of ['postStart', 'preStop'])
      append(errors, validateHook([...at, 'lifecycle', hook], record(container['lifecycle'])[hook]))
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

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
