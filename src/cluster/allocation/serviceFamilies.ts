import { addressFamily } from '../../net/ranges.js'
import { isHeadless } from '../serviceType.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Service, ServiceSpec } from '../types.js'
import { append, invalid, type FieldError } from '../validation/fieldErrors.js'
import { validateServiceFamilies } from '../validation/serviceFamilies.js'

/**
 * Sets ipFamilies and ipFamilyPolicy for a cluster with these families, primary first; `before` is the Service that
 * an update replaces. Mirrors initIPFamilyFields of the Service registry.
 */
export function assignFamilies(
  written: Service,
  cluster: readonly IpFamily[],
  before?: Service,
): { service: Service; errors: readonly FieldError[] } {
  if (written.spec.type === 'ExternalName' || keepsPreferred(written, before))
    return { service: written, errors: [] }
  const bare = isHeadless(written) && Object.keys(written.spec.selector ?? {}).length === 0
  const policy =
    written.spec.ipFamilyPolicy ?? before?.spec.ipFamilyPolicy ?? (bare ? 'RequireDualStack' : 'SingleStack')
  const wrong = validateServiceFamilies(written.spec)
  if (wrong.length > 0) return { service: written, errors: wrong }
  const spec = {
    ...written.spec,
    ...(before !== undefined && policy === 'SingleStack' ? releasedSecond(written.spec, before.spec) : {}),
    ipFamilyPolicy: policy,
  }
  const service = { ...written, spec }
  const { families, errors: inferErrors } = inferFamilies(spec, cluster)
  const errors = [
    ...(before === undefined || policy === 'SingleStack' ? [] : reduced(spec, before.spec)),
    ...tooManyForPolicy(spec),
    ...inferErrors,
  ]
  // The user writes the endpoints of a headless Service without selector, so any family is allowed.
  if (errors.length === 0 && !bare) append(errors, unconfigured(spec, policy, cluster))
  if (errors.length > 0) return { service, errors }
  const first = families[0] ?? cluster[0] ?? 'IPv4'
  const all = families.length === 0 ? [first] : families
  const second: IpFamily = first === 'IPv4' ? 'IPv6' : 'IPv4'
  if (policy !== 'SingleStack' && all.length === 1 && (bare || cluster.includes(second))) all.push(second)
  return { service: { ...service, spec: { ...spec, ipFamilies: all } }, errors: [] }
}

/** An update that keeps policy PreferDualStack, families and addresses is not reallocated for another cluster. */
export function keepsPreferred({ spec }: Service, before?: Service): boolean {
  const old = before?.spec
  return (
    old !== undefined &&
    spec.type === old.type &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    old.ipFamilyPolicy === 'PreferDualStack' &&
    isSame(spec.clusterIPs, old.clusterIPs) &&
    isSame(spec.ipFamilies, old.ipFamilies)
  )
}

/** SingleStack alone releases the second family: what an update has not changed is shortened. */
function releasedSecond(spec: ServiceSpec, old: ServiceSpec): Partial<ServiceSpec> {
  const { clusterIPs = [], ipFamilies = [] } = spec
  return {
    ...(isSame(clusterIPs, old.clusterIPs) && spec.clusterIP === old.clusterIP && clusterIPs.length > 1
      ? { clusterIPs: clusterIPs.slice(0, 1) }
      : {}),
    ...(isSame(ipFamilies, old.ipFamilies) && ipFamilies.length > 1
      ? { ipFamilies: ipFamilies.slice(0, 1) }
      : {}),
  }
}

function reduced(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const lists = { clusterIPs: 'cluster IP', ipFamilies: 'IP family' } as const
  return (['clusterIPs', 'ipFamilies'] as const)
    .filter((field) => (old[field]?.length ?? 0) === 2 && spec[field]?.length === 1)
    .map((field) =>
      invalid(
        ['spec', 'ipFamilyPolicy'],
        spec.ipFamilyPolicy,
        `must be 'SingleStack' to release the secondary ${lists[field]}`,
      ),
    )
}

function tooManyForPolicy({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return []
  const wanted = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
  const tooMany = (what: string) =>
    invalid(['spec', 'ipFamilyPolicy'], ipFamilyPolicy, `${wanted} ${what} are specified`)
  return [
    ...(clusterIPs.length === 2 ? [tooMany('cluster IPs')] : []),
    ...(ipFamilies.length === 2 ? [tooMany('IP families')] : []),
  ]
}

function isSame(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
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

const familiesHint = 'topology.families in lab.yaml, or `--families IPv4,IPv6`, configures both families'

function unconfigured(spec: ServiceSpec, policy: string, cluster: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = []
  if (policy === 'RequireDualStack' && cluster.length < 2)
    errors.push(
      invalid(
        ['spec', 'ipFamilyPolicy'],
        policy,
        'this cluster is not configured for dual-stack services',
        familiesHint,
      ),
    )
  for (const [index, family] of (spec.ipFamilies ?? []).entries())
    if (!cluster.includes(family))
      errors.push(
        invalid(['spec', 'ipFamilies', index], family, 'not configured on this cluster', familiesHint),
      )
  return errors
}
