import { canonicalJson } from '../hash.js'
import type { ServiceSpec } from '../types.js'

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
      type === 'NodePort' || loadBalancer || (type !== 'ExternalName' && externalIPs.length > 0),
    loadBalancer,
  }
}

const fields: Readonly<Record<keyof FieldsOfType, readonly (keyof ServiceSpec)[]>> = {
  clusterIP: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
  nodePort: [],
  healthCheckNodePort: ['healthCheckNodePort'],
  externalTrafficPolicy: ['externalTrafficPolicy'],
  loadBalancer: ['loadBalancerClass', 'allocateLoadBalancerNodePorts'],
}

/**
 * Removes fields that the new type of a patched Service does not have, if the patch did not change them; fields that
 * it sets are left to validation (dropTypeDependentFields).
 */
export function withoutFieldsOfOldType(before: ServiceSpec, patched: ServiceSpec): ServiceSpec {
  const had = fieldsOfType(before)
  const has = fieldsOfType(patched)
  const spec = { ...patched }
  for (const group of Object.keys(fields) as (keyof FieldsOfType)[])
    if (had[group] && !has[group])
      for (const field of fields[group])
        if (canonicalJson(before[field] ?? null) === canonicalJson(spec[field] ?? null))
          Reflect.deleteProperty(spec, field)
  if (had.nodePort && !has.nodePort && spec.ports !== undefined) {
    const old = new Set((before.ports ?? []).map(({ nodePort }) => nodePort))
    spec.ports = spec.ports.map(({ nodePort, ...port }) =>
      nodePort === undefined || old.has(nodePort) ? port : { ...port, nodePort },
    )
  }
  return spec
}
