import { tolerates } from '../controllers/nodeFit.js'
import { endPods } from '../pods/endPods.js'
import type { Cluster, Node } from '../types.js'

/**
 * Deletes the pods of a node that do not tolerate one of its taints with the effect NoExecute (taint eviction controller). A
 * real cluster deletes those that tolerate it for `tolerationSeconds` after that time; here they stay.
 */
export function evictTainted(cluster: Cluster, { metadata, spec }: Node): Cluster {
  const taints = (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute')
  const evicted = cluster.pods.filter(
    (pod) => pod.spec.nodeName === metadata.name && taints.some((taint) => !tolerates(pod, taint)),
  )
  return endPods(cluster, new Set(evicted))
}
