import { defaultRanges } from '../../net/addressRanges.js'
import { rangeContains, rangeOf } from '../../net/ranges.js'
import { sameJson } from '../hash.js'
import { isEnding } from '../pods/endPods.js'
import type { Cluster, ServiceCIDR, ServiceCidrCondition } from '../types.js'

const finalizer = 'networking.k8s.io/service-cidr-finalizer'

/** The condition of a ServiceCIDR that Services get addresses from. */
export const readyCondition: ServiceCidrCondition = {
  type: 'Ready',
  status: 'True',
  reason: '',
  message: 'Kubernetes Service CIDR is ready',
}

const terminating: ServiceCidrCondition = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message:
    'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
}

/** The metadata that the controller adds to a ServiceCIDR. */
export const cidrFinalizers: readonly string[] = [finalizer]

/**
 * ServiceCIDR controller: marks a ServiceCIDR as ready, and keeps one that is being deleted until no Service has an address that only it
 * contains. The real controller waits 10 s more.
 */
export function reconcileServiceCidrs(cluster: Cluster): Cluster {
  const { serviceCidrs = [] } = cluster
  const kept = serviceCidrs.flatMap((one) => {
    if (!isEnding(one)) return [withCondition(one, readyCondition, cluster.now, cidrFinalizers)]
    if (isNeeded(one, cluster)) return [withCondition(one, terminating, cluster.now)]
    const others = (one.metadata.finalizers ?? []).filter((name) => name !== finalizer)
    return others.length === 0 ? [] : [{ ...one, metadata: { ...one.metadata, finalizers: others } }]
  })
  return sameJson(kept, serviceCidrs) ? cluster : { ...cluster, serviceCidrs: kept }
}

function withCondition(
  one: ServiceCIDR,
  wanted: ServiceCidrCondition,
  now: string | undefined,
  added: readonly string[] = [],
): ServiceCIDR {
  const finalizers = [...new Set([...(one.metadata.finalizers ?? []), ...added])]
  const known = one.status?.conditions?.find(({ type }) => type === wanted.type)
  const since = known?.status === wanted.status ? known.lastTransitionTime : now?.replace(/\.\d+Z$/, 'Z')
  const condition = { ...wanted, ...(since === undefined ? {} : { lastTransitionTime: since }) }
  return { ...one, metadata: { ...one.metadata, finalizers }, status: { conditions: [condition] } }
}

/** Whether a Service has an address that no other range contains. */
function isNeeded(one: ServiceCIDR, cluster: Cluster): boolean {
  const { services, serviceCidrs = [], ipAddresses = [], serviceRanges = defaultRanges.services } = cluster
  const rangesOf = ({ spec: { cidrs = [] } }: ServiceCIDR) => cidrs.map(rangeOf)
  const own = rangesOf(one)
  const others = [
    ...Object.values(serviceRanges).map(rangeOf),
    ...serviceCidrs.filter((other) => other !== one).flatMap(rangesOf),
  ]
  const addresses = [
    ...services.flatMap(({ spec: { clusterIPs = [] } }) => clusterIPs),
    ...ipAddresses.map(({ metadata }) => metadata.name),
  ]
  return addresses.some(
    (address) =>
      own.some((range) => rangeContains(range, address)) &&
      !others.some((range) => rangeContains(range, address)),
  )
}
