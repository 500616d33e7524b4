import { allocateUpdate } from '../allocation/services.js'
import type { ClusterOptions } from '../cluster.js'
import { sameJson } from '../hash.js'
import { isHeadless } from '../serviceType.js'
import type { Cluster, KubeObject, Service, ServicePort, ServiceSpec } from '../types.js'
import { forbidden, invalid, type FieldError } from '../validation/fieldErrors.js'
import { validateService } from '../validation/service.js'
import { fieldsOfType, withoutFieldsOfOldType } from './serviceFields.js'

/** An updated object, and the errors of the API server for the update. */
export interface Updated {
  readonly object: KubeObject
  readonly errors: readonly FieldError[]
}

/**
 * Updates a Service as the Service registry does: first it keeps and allocates values, whose errors are reported alone;
 * then it removes what the new type does not have; then it validates. `faults` are those of the written object.
 */
export function updatedService(
  before: Service,
  written: Service,
  faults: readonly FieldError[],
  { services }: Cluster,
  options: ClusterOptions,
): Updated {
  const kept = withAllocatedValues(before, withSyncedAddresses(before, written))
  const others = services.filter((service) => service !== before)
  const { service, errors } = allocateUpdate(before, kept, others, options)
  if (errors.length > 0) return { object: service, errors }
  const { status: _written, ...object } = withoutFieldsOfOldType(before, service)
  if (before.status !== undefined && object.spec.type === 'LoadBalancer')
    Object.assign(object, { status: before.status })
  const all = [
    ...changedAddresses(before, object),
    ...changedLoadBalancer(before, object),
    ...faults.filter(({ path }) => path[0] === 'metadata'),
    ...validateService(object),
  ]
  const messages = all.map(({ message }) => message)
  return { object, errors: all.filter(({ message }, index) => messages.indexOf(message) === index) }
}

/** Keeps `clusterIPs` in step with a changed or removed `clusterIP`, unless both change (normalizeClusterIPs). */
function withSyncedAddresses({ spec: old }: Service, written: Service): Service {
  const { clusterIPs: asked, ...spec } = written.spec
  const { clusterIP } = spec
  if (asked !== undefined && !sameJson(asked, old.clusterIPs)) return written
  if (clusterIP === undefined) return { ...written, spec }
  const clusterIPs =
    clusterIP === old.clusterIP && old.clusterIPs !== undefined ? old.clusterIPs : [clusterIP]
  return { ...written, spec: { ...spec, clusterIPs } }
}

/** Keeps the allocated values that a client did not repeat (patchAllocatedValues). */
function withAllocatedValues({ spec: old }: Service, written: Service): Service {
  const [had, has] = [fieldsOfType(old), fieldsOfType(written.spec)]
  const spec: ServiceSpec = { ...written.spec }
  if (had.clusterIP && has.clusterIP) {
    if (old.clusterIP !== undefined) spec.clusterIP ??= old.clusterIP
    if (old.clusterIPs !== undefined) spec.clusterIPs ??= old.clusterIPs
  }
  if (had.healthCheckNodePort && has.healthCheckNodePort && old.healthCheckNodePort !== undefined)
    spec.healthCheckNodePort ||= old.healthCheckNodePort
  if (had.nodePort && has.nodePort && spec.ports !== undefined) spec.ports = portsOf(old, spec.ports)
  return { ...written, spec }
}

/** Node ports by the names of ports, except those that the update uses for another port. */
function portsOf(old: ServiceSpec, ports: readonly ServicePort[]): ServicePort[] {
  const known = new Map((old.ports ?? []).map((port) => [port.name ?? '', port.nodePort ?? 0]))
  const used = new Set(ports.map(({ nodePort = 0 }) => nodePort))
  return ports.map((port) => {
    const nodePort = known.get(port.name ?? '') ?? 0
    return (port.nodePort ?? 0) !== 0 || nodePort === 0 || used.has(nodePort) ? port : { ...port, nodePort }
  })
}

const fixed = 'may not change once set'

/** Addresses and families that may not change (validateUpgradeDowngradeClusterIPs, validateUpgradeDowngradeIPFamilies). */
function changedAddresses(before: Service, after: Service): FieldError[] {
  if ([before, after].some(({ spec }) => spec.type === 'ExternalName')) return []
  if (isHeadless(before) && isHeadless(after)) return []
  const { clusterIPs: old = [], ipFamilies: oldFamilies = [] } = before.spec
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = after.spec
  const compared = old.length === clusterIPs.length ? old : old.slice(0, 1)
  return [
    ...compared.flatMap((address, index) =>
      clusterIPs[index] === address ? [] : [invalid(['spec', 'clusterIPs', index], clusterIPs, fixed)],
    ),
    ...(old.length > clusterIPs.length && ipFamilyPolicy !== 'SingleStack'
      ? [
          invalid(
            ['spec', 'ipFamilyPolicy'],
            ipFamilyPolicy,
            "must be set to 'SingleStack' when releasing the secondary clusterIP",
          ),
        ]
      : []),
    ...(isHeadless(before) === isHeadless(after) && ipFamilies[0] !== (oldFamilies[0] ?? ipFamilies[0])
      ? [
          invalid(
            ['spec', 'ipFamilies', 0],
            oldFamilies.length === ipFamilies.length ? ipFamilies : clusterIPs,
            fixed,
          ),
        ]
      : []),
  ]
}

function changedLoadBalancer({ spec: old }: Service, { spec }: Service): FieldError[] {
  const [had, has] = [fieldsOfType(old), fieldsOfType(spec)]
  const { loadBalancerClass, healthCheckNodePort } = spec
  return [
    ...(had.loadBalancer && has.loadBalancer && loadBalancerClass !== old.loadBalancerClass
      ? [invalid(['spec', 'loadBalancerClass'], loadBalancerClass ?? null, fixed)]
      : []),
    ...(had.healthCheckNodePort && has.healthCheckNodePort && healthCheckNodePort !== old.healthCheckNodePort
      ? [forbidden(['spec', 'healthCheckNodePort'], 'field is immutable')]
      : []),
  ]
}
