import { isHeadless } from '../serviceType.js'
import type { KubeObject, Service, ServicePort, ServiceSpec } from '../types.js'
import { invalid, type FieldError } from '../validation/fieldErrors.js'
import { fieldsOfType } from './serviceFields.js'

/**
 * An updated Service keeps its allocated values that its type still has (patchAllocatedValues of the Service
 * registry): addresses, node ports, the health check port, and the status of its load balancer.
 */
export function updatedService(before: Service, written: Service): Updated {
  const had = fieldsOfType(before.spec)
  const has = fieldsOfType(written.spec)
  const spec: ServiceSpec = {
    ...written.spec,
    ...(had.clusterIP && has.clusterIP ? addressesOf(before.spec, written.spec) : {}),
    ...(had.healthCheckNodePort && has.healthCheckNodePort ? healthPortOf(before.spec, written.spec) : {}),
    ...(had.nodePort && has.nodePort ? { ports: portsOf(before.spec, written.spec) } : {}),
  }
  const { status: _written, ...rest } = written
  const object: Service = { ...rest, spec }
  if (before.status !== undefined && spec.type === 'LoadBalancer') object.status = before.status
  return { object, errors: had.clusterIP && has.clusterIP ? changedAddresses(before, object) : [] }
}

/**
 * Keeps addresses and families that the update does not set. An added family is allocated, a removed one is released.
 */
function addressesOf(before: ServiceSpec, written: ServiceSpec): Partial<ServiceSpec> {
  const ipFamilyPolicy = written.ipFamilyPolicy ?? before.ipFamilyPolicy
  const keptIPs = before.clusterIPs ?? []
  const [asked] = written.clusterIPs ?? []
  const named = asked !== undefined && !(written.clusterIPs?.length === 1 && asked === keptIPs[0])
  const families = written.ipFamilies ?? before.ipFamilies
  const single = ipFamilyPolicy === 'SingleStack'
  const clusterIPs = named ? (written.clusterIPs ?? []) : single ? keptIPs.slice(0, 1) : keptIPs
  const ipFamilies = single && written.ipFamilies === undefined ? families?.slice(0, 1) : families
  return {
    ...(clusterIPs[0] === undefined ? {} : { clusterIP: clusterIPs[0], clusterIPs }),
    ...(ipFamilies === undefined ? {} : { ipFamilies }),
    ...(ipFamilyPolicy === undefined ? {} : { ipFamilyPolicy }),
  }
}

function healthPortOf(before: ServiceSpec, written: ServiceSpec): Partial<ServiceSpec> {
  const port = written.healthCheckNodePort || before.healthCheckNodePort
  return port === undefined ? {} : { healthCheckNodePort: port }
}

/** Node ports by the names of ports, each used only once. */
function portsOf(before: ServiceSpec, written: ServiceSpec): ServicePort[] {
  const ports = written.ports ?? []
  const known = new Map((before.ports ?? []).map((port) => [port.name ?? '', port.nodePort ?? 0]))
  const used = new Set(ports.map(({ nodePort = 0 }) => nodePort))
  return ports.map((port) => {
    const nodePort = known.get(port.name ?? '') ?? 0
    if ((port.nodePort ?? 0) !== 0 || nodePort === 0 || used.has(nodePort)) return port
    used.add(nodePort)
    return { ...port, nodePort }
  })
}

/** Immutable fields (upgradeDowngradeClusterIPsErrors, upgradeDowngradeIPFamiliesErrors). */
function changedAddresses(before: Service, after: Service): FieldError[] {
  const { clusterIPs: old = [], ipFamilies: oldFamilies = [] } = before.spec
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = after.spec
  const errors: FieldError[] = []
  const path = ['spec', 'clusterIPs']
  const fixed = old.length === clusterIPs.length ? old : old.slice(0, 1)
  for (const [index, address] of fixed.entries())
    if (clusterIPs[index] !== address)
      errors.push(invalid([...path, index], clusterIPs, 'may not change once set'))
  if (isHeadless(before) && isHeadless(after)) return errors
  if (oldFamilies[0] !== undefined && ipFamilies[0] !== oldFamilies[0])
    errors.push(invalid(['spec', 'ipFamilies', 0], ipFamilies, 'may not change once set'))
  if (old.length > clusterIPs.length && ipFamilyPolicy !== 'SingleStack')
    errors.push(
      invalid(
        ['spec', 'ipFamilyPolicy'],
        ipFamilyPolicy,
        "must be set to 'SingleStack' when releasing the secondary clusterIP",
      ),
    )
  return errors
}

/** Replaces an object, and returns the errors of the API server for the update. */
export interface Updated {
  readonly object: KubeObject
  readonly errors: readonly FieldError[]
}
