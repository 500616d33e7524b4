import { isSame } from '../validation/update.js'
import type { Service, ServiceSpec } from '../types.js'

/** Which type-dependent fields a Service has. */
export interface FieldsOfType {
  readonly clusterIP: boolean
  readonly nodePort: boolean
  readonly healthCheckNodePort: boolean
  readonly externalTrafficPolicy: boolean
  readonly loadBalancer: boolean
}

/** The fields that a Service of this type has (needsClusterIP, needsNodePort and so on of the Service registry). */
export function fieldsOfType({ type, externalTrafficPolicy, externalIPs = [] }: ServiceSpec): FieldsOfType {
  const loadBalancer = type === 'LoadBalancer'
  return {
    clusterIP: type !== 'ExternalName',
    nodePort: type === 'NodePort' || loadBalancer,
    healthCheckNodePort: loadBalancer && externalTrafficPolicy === 'Local',
    externalTrafficPolicy:
      type === 'NodePort' || loadBalancer || (type === 'ClusterIP' && externalIPs.length > 0),
    loadBalancer,
  }
}

/** Fields that are removed together when an update changed none of them. */
const groups: readonly (readonly [keyof FieldsOfType, readonly (keyof ServiceSpec)[]])[] = [
  ['clusterIP', ['clusterIP', 'clusterIPs']],
  ['clusterIP', ['ipFamilies']],
  ['clusterIP', ['ipFamilyPolicy']],
  ['clusterIP', ['internalTrafficPolicy']],
  ['healthCheckNodePort', ['healthCheckNodePort']],
  ['externalTrafficPolicy', ['externalTrafficPolicy']],
  ['loadBalancer', ['loadBalancerClass']],
  ['loadBalancer', ['allocateLoadBalancerNodePorts']],
]

/**
 * Removes fields that the new type of an updated Service does not have, if the update did not change them; fields that
 * it sets are left to validation (dropTypeDependentFields).
 */
export function withoutFieldsOfOldType(before: Service, updated: Service): Service {
  const [had, has] = [fieldsOfType(before.spec), fieldsOfType(updated.spec)]
  const spec = { ...updated.spec }
  for (const [part, fields] of groups)
    if (had[part] && !has[part] && fields.every((field) => isSame(before.spec[field], spec[field])))
      for (const field of fields) Reflect.deleteProperty(spec, field)
  if (had.nodePort && !has.nodePort && spec.ports !== undefined) {
    const old = new Set((before.spec.ports ?? []).map(({ nodePort = 0 }) => nodePort))
    if (spec.ports.every(({ nodePort = 0 }) => nodePort === 0 || old.has(nodePort)))
      spec.ports = spec.ports.map(({ nodePort: _released, ...port }) => port)
  }
  return { ...updated, spec }
}
