import type { Cluster } from './types.js'

/** Runs the ingress controllers of a cluster. */
export function runIngressControllers(cluster: Cluster): Cluster {
  const { ingressControllers = [] } = cluster
  return ingressControllers.reduce((snapshot, { reconcile }) => reconcile?.(snapshot) ?? snapshot, cluster)
}
