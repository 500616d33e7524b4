import type { PortRange } from '../../net/addressRanges.js'
import type { Service, ServicePort } from '../types.js'
import { internalError, invalid, type FieldError, type Path } from '../validation/fieldErrors.js'
import { createPool, staticBand, type Pool } from './pool.js'

/** A pool of node ports: the first allocated port of 30000-32767 is 30086, after its static band of 86. */
export function createNodePortPool({ first, last }: PortRange): Pool {
  return createPool(first, last, first + staticBand(last - first + 1, 16, 128, 32))
}

/** Reserves the node ports that a Service requests; runs before any other port is allocated. Stops at the first failure. */
export function reserveNodePorts(service: Service, pool: Pool, range: PortRange): FieldError[] {
  if (!hasNodePorts(service)) return []
  const { ports = [] } = service.spec
  // Ports with one number share a node port, whatever their protocols.
  const shared = new Map<number, number>()
  for (const [index, { port, nodePort: own = 0 }] of ports.entries()) {
    if (own === 0 && !allocatesNodePorts(service)) continue
    const wanted = shared.has(port) ? own : (requestedFor(port, ports) ?? 0)
    if (wanted === 0 || wanted === shared.get(port)) continue
    const errors = reserve(['spec', 'ports', index, 'nodePort'], wanted, pool, range)
    if (errors.length > 0) return errors
    if (!shared.has(port)) shared.set(port, wanted)
  }
  return reserveHealthCheckNodePort(service, pool, range)
}

function reserveHealthCheckNodePort(service: Service, pool: Pool, range: PortRange): FieldError[] {
  const { healthCheckNodePort: port = 0 } = service.spec
  if (!needsHealthCheckNodePort(service) || port === 0) return []
  const path = ['spec', 'healthCheckNodePort']
  const failure = pool.take(port)
  if (failure === undefined) return []
  const what = `failed to allocate requested HealthCheck NodePort ${port}`
  return [{ ...internalError(path, `${what}: ${reason(failure, range)}`), takenValue: String(port) }]
}

/** Allocates the missing node ports of a Service; ports that differ only by protocol share one. */
export function assignNodePorts(service: Service, pool: Pool): Allocated {
  if (!hasNodePorts(service)) return { service, errors: [] }
  const { ports = [] } = service.spec
  const shared = new Map<number, number>()
  const assigned: ServicePort[] = []
  for (const [index, port] of ports.entries()) {
    if (!allocatesNodePorts(service) || (port.nodePort ?? 0) !== 0) {
      assigned.push(port)
      continue
    }
    const nodePort = shared.get(port.port) ?? requestedFor(port.port, ports) ?? pool.next()
    if (nodePort === undefined) return { service, errors: [rangeIsFull(index)] }
    shared.set(port.port, nodePort)
    assigned.push({ ...port, nodePort })
  }
  return withHealthCheckNodePort(withPorts(service, assigned), pool)
}

/** Allocates the node ports that an update adds; those of the Service before it are reserved (updateNodePorts). */
export function updateNodePorts(before: Service, after: Service, pool: Pool, range: PortRange): Allocated {
  let service = after
  if (hasNodePorts(after)) {
    const known = new Set((before.spec.ports ?? []).map(({ nodePort }) => nodePort))
    const pairs = new Set<string>()
    const assigned: ServicePort[] = []
    for (const [index, port] of (after.spec.ports ?? []).entries()) {
      let { nodePort = 0 } = port
      if (nodePort === 0 && !allocatesNodePorts(after)) {
        assigned.push(port)
        continue
      }
      if (nodePort === 0) {
        const free = pool.next()
        if (free === undefined) return { service: after, errors: [rangeIsFull(index)] }
        nodePort = free
      } else if (!known.has(nodePort)) {
        const errors = reserve(['spec', 'ports', index, 'nodePort'], nodePort, pool, range)
        if (errors.length > 0) return { service: after, errors }
        known.add(nodePort)
      }
      const pair = `{${port.protocol} ${nodePort}}`
      if (pairs.has(pair)) {
        const path = ['spec', 'ports', index, 'nodePort']
        const message = `duplicate nodePort: ${pair}`
        return { service: after, errors: [{ path, message, isInternal: true }] }
      }
      pairs.add(pair)
      assigned.push({ ...port, nodePort })
    }
    service = withPorts(after, assigned)
  }
  if (needsHealthCheckNodePort(before)) return { service, errors: [] }
  const errors = reserveHealthCheckNodePort(service, pool, range)
  return errors.length > 0 ? { service, errors } : withHealthCheckNodePort(service, pool)
}

interface Allocated {
  readonly service: Service
  readonly errors: readonly FieldError[]
}

function withPorts(service: Service, ports: ServicePort[]): Service {
  return service.spec.ports === undefined ? service : { ...service, spec: { ...service.spec, ports } }
}

function withHealthCheckNodePort(service: Service, pool: Pool): Allocated {
  if (!needsHealthCheckNodePort(service) || service.spec.healthCheckNodePort) return { service, errors: [] }
  const healthCheckNodePort = pool.next()
  if (healthCheckNodePort !== undefined)
    return { service: { ...service, spec: { ...service.spec, healthCheckNodePort } }, errors: [] }
  const detail = 'failed to allocate a HealthCheck NodePort 0: range is full'
  return { service, errors: [internalError(['spec', 'healthCheckNodePort'], detail)] }
}

/** The node port that is requested for the first port with this number. */
function requestedFor(number: number, ports: readonly ServicePort[]): number | undefined {
  return ports.find(({ port, nodePort = 0 }) => port === number && nodePort !== 0)?.nodePort
}

function rangeIsFull(index: number): FieldError {
  const path = ['spec', 'ports', index, 'nodePort']
  return internalError(path, 'failed to allocate a nodePort: range is full')
}

function reserve(path: Path, port: number, pool: Pool, range: PortRange): FieldError[] {
  const failure = pool.take(port)
  return failure === undefined
    ? []
    : [{ ...invalid(path, port, reason(failure, range)), takenValue: String(port) }]
}

function reason(failure: 'outside' | 'taken', { first, last }: PortRange): string {
  return failure === 'taken'
    ? 'provided port is already allocated'
    : `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
}

function hasNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer'
}

function allocatesNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false
}

function needsHealthCheckNodePort({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}
