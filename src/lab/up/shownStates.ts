import type { ApiProcess } from '../../host/kubeProxy/apiProcess.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'

/** The states that the API shows, by number: a write names the state that it is based on. */
export interface ShownStates {
  show(cluster: Cluster, objects: readonly KubeObject[]): void
  /** The cluster of a state; undefined when it is no longer kept. */
  clusterAt(state: number): Cluster | undefined
}

/** A write is rarely based on a state that is further behind. */
const kept = 256

/** Shows states in an API, if there is one; `initial` is the one that it started with. */
export function showStates(api: Pick<ApiProcess, 'replace'> | undefined, initial: Cluster): ShownStates {
  const clusters = [initial]
  let first = 0
  return {
    show(cluster, objects) {
      clusters.push(cluster)
      if (clusters.length > kept) {
        clusters.shift()
        first++
      }
      api?.replace(objects, first + clusters.length - 1)
    },
    clusterAt: (state) => clusters[state - first],
  }
}
