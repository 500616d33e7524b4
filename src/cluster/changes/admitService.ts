import { InputError } from '../../errors.js'
import { allocateServices } from '../allocation/services.js'
import type { ClusterOptions } from '../cluster.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import type { Cluster, Service } from '../types.js'

/**
 * A new Service with its allocated families, addresses and node ports, given those of the other Services. Throws
 * InputError when a requested value is not available, and for its faults.
 */
export function admitService(cluster: Cluster, located: LocatedObject, options: ClusterOptions): Service {
  const { services, problems } = allocateServices([located], options, cluster.services)
  const [admitted] = services
  if (problems.length > 0 || admitted === undefined) throw new InputError(problems)
  return admitted
}
