import { isEnding } from '../pods/endPods.js'
import type { Cluster } from '../types.js'
import type { AddedRanges } from './clusterIPs.js'

/** The ranges of the ServiceCIDRs that are ready, and the addresses that users took with an IPAddress. */
export function addedRanges({ serviceCidrs = [], ipAddresses = [] }: Cluster): AddedRanges {
  const ready = serviceCidrs.filter((one) => !isEnding(one))
  return {
    added: ready.flatMap(({ spec: { cidrs = [] } }) => cidrs),
    taken: ipAddresses.map(({ metadata }) => metadata.name),
  }
}
