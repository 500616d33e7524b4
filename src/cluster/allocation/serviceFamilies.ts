import { addressFamily } from '../../net/ranges.js'
import { isHeadless } from '../serviceType.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Service, ServiceSpec } from '../types.js'
import { append, invalid, type FieldError } from '../validation/fieldErrors.js'

/**
 * Sets ipFamilies and ipFamilyPolicy for a cluster with these families, primary first. Mirrors initIPFamilyFields of
 * the Service registry.
 */
export function assignFamilies(
  service: Service,
  cluster: readonly IpFamily[],
): { service: Service; errors: readonly FieldError[] } {
  const { spec } = service
  if (spec.type === 'ExternalName') return { service, errors: [] }
  const bare = isHeadless(service) && Object.keys(spec.selector ?? {}).length === 0
  const policy = spec.ipFamilyPolicy ?? (bare ? 'RequireDualStack' : 'SingleStack')
  const { families, errors } = inferFamilies(spec, cluster)
  // The user writes the endpoints of a headless Service without selector, so any family is allowed.
  if (!bare) append(errors, unconfigured(spec, policy, cluster))
  if (errors.length > 0) return { service, errors }
  const first = families[0] ?? cluster[0] ?? 'IPv4'
  const all = families.length === 0 ? [first] : families
  const second: IpFamily = first === 'IPv4' ? 'IPv6' : 'IPv4'
  if (policy !== 'SingleStack' && all.length === 1 && (bare || cluster.includes(second))) all.push(second)
  return { service: { ...service, spec: { ...spec, ipFamilyPolicy: policy, ipFamilies: all } }, errors: [] }
}

function inferFamilies(
  { clusterIPs = [], ipFamilies = [] }: ServiceSpec,
  cluster: readonly IpFamily[],
): { families: IpFamily[]; errors: FieldError[] } {
  const families = [...ipFamilies]
  const errors: FieldError[] = []
  for (const [index, address] of clusterIPs.entries()) {
    const family = addressFamily(address)
    if (family === undefined || index < families.length) continue
    if (cluster.includes(family)) families.push(family)
    else
      errors.push(
        invalid(['spec', 'clusterIPs', index], clusterIPs, `${family} is not configured on this cluster`),
      )
  }
  return { families, errors }
}

function unconfigured(spec: ServiceSpec, policy: string, cluster: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = []
  if (policy === 'RequireDualStack' && cluster.length < 2)
    errors.push(
      invalid(['spec', 'ipFamilyPolicy'], policy, 'this cluster is not configured for dual-stack services'),
    )
  for (const [index, family] of (spec.ipFamilies ?? []).entries())
    if (!cluster.includes(family))
      errors.push(invalid(['spec', 'ipFamilies', index], family, 'not configured on this cluster'))
  return errors
}
