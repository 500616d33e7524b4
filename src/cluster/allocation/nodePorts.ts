import type { PortRange } from '../../net/addressRanges.js'
import type { Service, ServicePort } from '../types.js'
import { invalid, type FieldError, type Path } from '../validation/fieldErrors.js'
import { createPool, staticBand, type Pool } from './pool.js'

/** A pool of node ports: the first allocated port of 30000-32767 is 30086, after its static band of 86. */
export function createNodePortPool({ first, last }: PortRange): Pool {
  return createPool(first, last, first + staticBand(last - first + 1, 16, 128, 32))
}

/** Reserves the node ports that a Service requests; runs before any other port is allocated. */
export function reserveNodePorts(service: Service, pool: Pool, range: PortRange): FieldError[] {
  if (!hasNodePorts(service)) return []
  const errors: FieldError[] = []
  const own = new Set<number>()
  for (const [index, { nodePort = 0 }] of (service.spec.ports ?? []).entries()) {
    // Two protocols of one Service may share a node port.
    if (nodePort === 0 || own.has(nodePort)) continue
    own.add(nodePort)
    errors.push(...claim(['spec', 'ports', index, 'nodePort'], nodePort, '', pool, range))
  }
  const health = service.spec.healthCheckNodePort ?? 0
  if (needsHealthCheckNodePort(service) && health !== 0) {
    const what = `failed to allocate requested HealthCheck NodePort ${health}: `
    errors.push(...claim(['spec', 'healthCheckNodePort'], health, what, pool, range))
  }
  return errors
}

/** Allocates the missing node ports of a Service; ports that differ only by protocol share one. */
export function assignNodePorts(
  service: Service,
  pool: Pool,
): { service: Service; errors: readonly FieldError[] } {
  if (!hasNodePorts(service)) return { service, errors: [] }
  const { spec } = service
  const wanted = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false
  const given = new Map(
    (spec.ports ?? []).flatMap((port) => (port.nodePort ? [[port.port, port.nodePort]] : [])),
  )
  const used = new Set((spec.ports ?? []).map(key))
  const errors: FieldError[] = []
  const ports = (spec.ports ?? []).map((port, index) => {
    if (!wanted || (port.nodePort ?? 0) !== 0) return port
    const shared = given.get(port.port)
    const free = shared !== undefined && !used.has(key({ ...port, nodePort: shared })) ? shared : pool.next()
    if (free === undefined) {
      errors.push(
        invalid(['spec', 'ports', index, 'nodePort'], 0, 'failed to allocate a nodePort: range is full'),
      )
      return port
    }
    given.set(port.port, free)
    used.add(key({ ...port, nodePort: free }))
    return { ...port, nodePort: free }
  })
  const health = needsHealthCheckNodePort(service) ? spec.healthCheckNodePort || pool.next() : undefined
  return {
    service: {
      ...service,
      spec: { ...spec, ports, ...(health === undefined ? {} : { healthCheckNodePort: health }) },
    },
    errors,
  }
}

function claim(path: Path, port: number, what: string, pool: Pool, range: PortRange): FieldError[] {
  switch (pool.take(port)) {
    case undefined:
      return []
    case 'taken':
      return [
        { ...invalid(path, port, `${what}provided port is already allocated`), takenValue: String(port) },
      ]
    case 'outside':
      return [
        invalid(
          path,
          port,
          `${what}provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`,
        ),
      ]
  }
}

function hasNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer'
}

function needsHealthCheckNodePort({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

function key(port: ServicePort): string {
  return `${port.protocol ?? 'TCP'}/${port.nodePort ?? 0}`
}
