import { InputError } from '../../errors.js'
import { allocateServices } from '../allocation/services.js'
import type { ClusterOptions } from '../cluster.js'
import { objectKey, type LocatedObject } from '../manifests/locatedObject.js'
import type { Cluster, KubeObject, Service } from '../types.js'

/**
 * A Service with its allocated families, addresses and node ports, given those of the other Services. Throws
 * InputError when a requested value is not available.
 */
export function admitService(cluster: Cluster, located: LocatedObject, options: ClusterOptions): Service {
  const key = objectKey(located.object)
  const others = cluster.services.filter((service) => objectKey(service) !== key)
  const { services, problems } = allocateServices([...others.map(standing), located], options)
  const admitted = services.at(-1)
  if (problems.length > 0 || admitted === undefined) throw new InputError(problems)
  return admitted
}

/** An existing object has no position in a file. */
function standing(object: KubeObject): LocatedObject {
  return { object, file: '', at: () => ({ file: '', line: 1, column: 1 }) }
}
