import { fieldPath } from '../schema/decode.js'
import { isRecord, records } from '../manifests/loose.js'
import type { Container, PodSpec } from '../types.js'
import { validateEnv } from './env.js'
import { append, duplicate, forbidden, invalid, notFound, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, portName, portNumber } from './formats.js'
import { validateHook, validateProbe } from './probe.js'
import { validateResources } from './resources.js'
import { each, fields, filled, supported } from './rules.js'
import { containerSecurity } from './security.js'
import { validateVolumeMounts } from './volumeMount.js'

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** What a container refers to in its pod. */
export interface InPod {
  readonly spec: PodSpec
  /** The valid volumes, with the claims of an owner. */
  readonly volumes: ReadonlySet<string>
  /** The names of the containers so far. */
  readonly names: Set<string>
}

/** Validates the containers of a pod (validateContainers). */
export function validateContainers(path: Path, inPod: InPod): FieldError[] {
  const { containers } = inPod.spec
  if (containers.length === 0) return [required(path)]
  const errors = containers.flatMap((container, index) => {
    const at = [...path, index]
    return [
      ...validateCommon(at, container, inPod),
      ...validateUnique([...at, 'name'], container.name, inPod.names),
      ...validateRunning(at, container, inPod.spec),
      ...restart(at, container),
    ]
  })
  return [...errors, ...hostPortClashes(path, containers)]
}

/** Validates the init containers, of which those that always restart are sidecars (validateInitContainers). */
export function validateInitContainers(path: Path, inPod: InPod): FieldError[] {
  return (inPod.spec.initContainers ?? []).flatMap((container, index) => {
    const at = [...path, index]
    const sidecar = container['restartPolicy'] === 'Always'
    return [
      ...validateCommon(at, container, inPod),
      ...restart(at, container),
      ...(container.name === '' ? [] : validateUnique([...at, 'name'], container.name, inPod.names)),
      // they run one after the other
      ...hostPortClashes(path, [container]),
      ...(sidecar
        ? validateRunning(at, container, inPod.spec)
        : ['lifecycle', ...probes]
            .filter((field) => container[field] !== undefined)
            .map((field) =>
              forbidden([...at, field], 'may not be set for init containers without restartPolicy=Always'),
            )),
    ]
  })
}

/** Fields that an ephemeral container cannot have (allowedEphemeralContainerFields), in the order of Go. */
const notEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  ...probes,
  'lifecycle',
]

const noSubPath = each(fields({ subPath: onlyEmpty, subPathExpr: onlyEmpty }))

function onlyEmpty(path: Path, value: unknown): FieldError[] {
  return value === undefined || value === ''
    ? []
    : [forbidden(path, 'cannot be set for an Ephemeral Container')]
}

/** Validates containers that only `kubectl debug` may add (validateEphemeralContainers). */
export function validateEphemeralContainers(path: Path, inPod: InPod): FieldError[] {
  const { spec } = inPod
  const others = [...spec.containers, ...(spec.initContainers ?? [])].map(({ name }) => name)
  const names = new Set(others)
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const at = [...path, index]
    const target = container.targetContainerName ?? ''
    return [
      ...validateCommon(at, container, inPod),
      ...validateUnique([...at, 'name'], container.name, names),
      ...(target === '' || others.includes(target) ? [] : [notFound([...at, 'targetContainerName'], target)]),
      ...notEphemeral
        .filter((field) => Object.keys(container[field] ?? {}).length > 0)
        .map((field) => forbidden([...at, field], 'cannot be set for an Ephemeral Container')),
      ...noSubPath([...at, 'volumeMounts'], container['volumeMounts']),
    ]
  })
}

const restart = fields({
  restartPolicy: supported(['Always', 'Never', 'OnFailure']),
  restartPolicyRules: each(
    fields({
      action: supported(['Restart', 'RestartAllContainers']),
      exitCodes: fields({ operator: supported(['In', 'NotIn']) }),
    }),
  ),
})

const resizable = fields({
  resourceName: supported(['cpu', 'memory']),
  restartPolicy: supported(['NotRequired', 'RestartContainer']),
})

const common = fields({
  imagePullPolicy: supported(['Always', 'IfNotPresent', 'Never']),
  resources: validateResources,
  // the errors have the path of the list
  resizePolicy: (path, value) => records(value).flatMap((policy) => moved(path, resizable([], policy))),
  securityContext: containerSecurity,
})

function moved(path: Path, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({
    ...error,
    path,
    message: error.message.replace(/^[^:]*/, () => fieldPath(path)),
  }))
}

const policies = fields({ terminationMessagePolicy: supported(['File', 'FallbackToLogsOnError']) })

/** The rules for all kinds of containers (validateContainerCommon). */
function validateCommon(at: Path, container: Container, { volumes }: InPod): FieldError[] {
  const { name } = container
  return [
    ...(name === ''
      ? [required([...at, 'name'])]
      : dnsLabel(name).map((detail) => invalid([...at, 'name'], name, detail))),
    ...filled()([...at, 'image'], container.image),
    ...policies(at, container),
    ...validatePorts([...at, 'ports'], container),
    ...validateEnv(at, container),
    ...validateVolumeMounts(at, container, volumes),
    ...common(at, container),
  ]
}

function validateUnique(path: Path, name: string, names: Set<string>): FieldError[] {
  if (names.has(name)) return [duplicate(path, name)]
  names.add(name)
  return []
}

/** The rules for containers that keep running: hooks and probes. */
function validateRunning(at: Path, container: Container, spec: PodSpec): FieldError[] {
  const hooks = isRecord(container['lifecycle']) ? container['lifecycle'] : {}
  return [
    ...['postStart', 'preStop'].flatMap((hook) =>
      validateHook([...at, 'lifecycle', hook], hooks[hook], spec.terminationGracePeriodSeconds),
    ),
    ...probes.flatMap((probe) => validateProbe([...at, probe], container[probe])),
  ]
}

function validatePorts(path: Path, container: Container): FieldError[] {
  const names = new Set<string>()
  return (container.ports ?? []).flatMap((port, index) => {
    const at = [...path, index]
    const errors: FieldError[] = []
    const { name = '', containerPort, hostPort = 0 } = port
    if (name !== '') {
      const details = portName(name)
      append(
        errors,
        details.map((detail) => invalid([...at, 'name'], name, detail)),
      )
      if (details.length === 0) append(errors, validateUnique([...at, 'name'], name, names))
    }
    if (containerPort === 0) errors.push(required([...at, 'containerPort']))
    else append(errors, portErrors([...at, 'containerPort'], containerPort))
    if (hostPort !== 0) append(errors, portErrors([...at, 'hostPort'], hostPort))
    append(errors, oneOf([...at, 'protocol'], port.protocol, ['SCTP', 'TCP', 'UDP']))
    return errors
  })
}

function portErrors(path: Path, port: number): FieldError[] {
  return portNumber(port).map((detail) => invalid(path, port, detail))
}

/** A host port that two containers take (AccumulateUniqueHostPorts). */
function hostPortClashes(path: Path, containers: readonly Container[]): FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap(({ ports = [] }, container) =>
    ports.flatMap(({ protocol = 'TCP', hostIP = '', hostPort = 0 }, index) =>
      hostPort === 0
        ? []
        : validateUnique(
            [...path, container, 'ports', index, 'hostPort'],
            `${protocol}/${hostIP}/${hostPort}`,
            taken,
          ),
    ),
  )
}
