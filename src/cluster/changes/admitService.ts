import { InputError } from '../../errors.js'
import { allocateServices } from '../allocation/services.js'
import type { ClusterOptions } from '../cluster.js'
import { objectKey, type LocatedObject } from '../manifests/locatedObject.js'
import type { Cluster, KubeObject, Service } from '../types.js'

/**
 * A Service with the families, addresses and node ports that are due to it, of what the other Services leave. Throws
 * InputError when it cannot have what it asks for.
 */
export function admitService(cluster: Cluster, located: LocatedObject, options: ClusterOptions): Service {
  const key = objectKey(located.object)
  const others = cluster.services.filter((service) => objectKey(service) !== key)
  const { services, problems } = allocateServices([...others.map(standing), located], options)
  const admitted = services.at(-1)
  if (problems.length > 0 || admitted === undefined) throw new InputError(problems)
  return admitted
}

/** One that stands has no place in a file that it could be told by. */
function standing(object: KubeObject): LocatedObject {
  return { object, file: '', at: () => ({ file: '', line: 1, column: 1 }) }
}
