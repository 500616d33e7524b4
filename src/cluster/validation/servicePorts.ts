import { isHeadless } from '../serviceType.js'
import type { Service, ServicePort } from '../types.js'
import { append, duplicate, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, portName, portNumber, qualifiedName } from './formats.js'

/** Validates the ports of a Service, each one and against the others. */
export function validateServicePorts(service: Service): FieldError[] {
  const { spec } = service
  const ports = spec.ports ?? []
  if (ports.length === 0 && !isHeadless(service) && spec.type !== 'ExternalName')
    return [required(['spec', 'ports'])]
  const errors: FieldError[] = []
  const names = new Set<string>()
  const numbers = new Set<string>()
  const nodePorts = new Set<string>()
  for (const [index, port] of ports.entries()) {
    const path = ['spec', 'ports', index]
    append(errors, validatePort(path, port, ports.length > 1, names))
    if (port.nodePort !== undefined && port.nodePort !== 0) {
      const key = `${port.protocol}/${port.nodePort}`
      if (spec.type === 'ClusterIP')
        errors.push(forbidden([...path, 'nodePort'], "may not be used when `type` is 'ClusterIP'"))
      else if (nodePorts.has(key)) errors.push(duplicate([...path, 'nodePort'], port.nodePort))
      nodePorts.add(key)
    }
    const key = `${port.protocol}/${port.port}`
    if (numbers.has(key)) errors.push(duplicate(path, portKey(port)))
    numbers.add(key)
  }
  return errors
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
