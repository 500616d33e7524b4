import { isHeadless } from '../serviceType.js'
import type { Service, ServicePort } from '../types.js'
import { append, duplicate, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, portName, portNumber, qualifiedName } from './formats.js'

/** Requires ports, unless the Service has no address of its own. */
export function requirePorts(service: Service): FieldError[] {
  const { ports = [], type } = service.spec
  return ports.length > 0 || isHeadless(service) || type === 'ExternalName'
    ? []
    : [required(['spec', 'ports'])]
}

/** Validates each port of a Service. */
export function validateServicePorts({ spec: { ports = [] } }: Service): FieldError[] {
  const names = new Set<string>()
  const errors: FieldError[] = []
  for (const [index, port] of ports.entries())
    append(errors, validatePort(['spec', 'ports', index], port, ports.length > 1, names))
  return errors
}

/** Validates the ports of a Service against each other, and node ports against its type. */
export function validatePortPairs({ spec: { ports = [], type } }: Service): FieldError[] {
  const at = (index: number): Path => ['spec', 'ports', index]
  const withNodePort = [...ports.entries()].filter(([, { nodePort = 0 }]) => nodePort !== 0)
  return [
    ...(type === 'ClusterIP' ? withNodePort : []).map(([index]) =>
      forbidden([...at(index), 'nodePort'], "may not be used when `type` is 'ClusterIP'"),
    ),
    ...repeated(withNodePort, ({ protocol, nodePort }) => `${protocol}/${nodePort}`).map(([index, port]) =>
      duplicate([...at(index), 'nodePort'], port.nodePort),
    ),
    ...repeated([...ports.entries()], ({ protocol, port }) => `${protocol}/${port}`).map(([index, port]) =>
      duplicate(at(index), portKey(port)),
    ),
  ]
}

function repeated(
  ports: readonly (readonly [number, ServicePort])[],
  keyOf: (port: ServicePort) => string,
): (readonly [number, ServicePort])[] {
  const seen = new Set<string>()
  return ports.filter(([, port]) => {
    const isRepeated = seen.has(keyOf(port))
    seen.add(keyOf(port))
    return isRepeated
  })
}

function validatePort(path: Path, port: ServicePort, requireName: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = []
  const { name = '', targetPort = 0 } = port
  if (name === '') {
    if (requireName) errors.push(required([...path, 'name']))
  } else {
    append(
      errors,
      dnsLabel(name).map((detail) => invalid([...path, 'name'], name, detail)),
    )
    if (names.has(name)) errors.push(duplicate([...path, 'name'], name))
    names.add(name)
  }
  append(
    errors,
    portNumber(port.port).map((detail) => invalid([...path, 'port'], port.port, detail)),
  )
  append(errors, oneOf([...path, 'protocol'], port.protocol, ['SCTP', 'TCP', 'UDP']))
  const target = typeof targetPort === 'number' ? portNumber(targetPort) : portName(targetPort)
  append(
    errors,
    target.map((detail) => invalid([...path, 'targetPort'], targetPort, detail)),
  )
  if (port.appProtocol !== undefined)
    errors.push(
      ...qualifiedName(port.appProtocol).map((detail) =>
        invalid([...path, 'appProtocol'], port.appProtocol, detail),
      ),
    )
  return errors
}

// The API server compares and prints a Go struct with only these two fields set.
function portKey(port: ServicePort): object {
  return { Name: '', Protocol: port.protocol, AppProtocol: null, Port: port.port, TargetPort: 0, NodePort: 0 }
}
