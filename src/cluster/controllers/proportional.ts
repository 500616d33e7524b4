import type { Deployment, Pod, ReplicaSet } from '../types.js'
import { sizesOf } from './revision.js'
import { maxReplicas, replicasOf, strategyOf, withReplicas, type Rollout } from './sizes.js'

/** Whether the replicas of a Deployment have changed since its ReplicaSets were scaled (isScalingEvent). */
export function isScaled({ spec }: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => {
    const { desired } = sizesOf(set)
    return replicasOf(set) > 0 && desired !== undefined && desired !== (spec.replicas ?? 1)
  })
}

/**
 * The ReplicaSets of a Deployment that is scaled, the newest last: one with pods gets them all; during a rollout each gets
 * a share that is proportional to its size. Mirrors `scale` of pkg/controller/deployment/sync.go.
 */
export function scaleAll(rollout: Rollout, sets: readonly ReplicaSet[]): ReplicaSet[] {
  const { deployment, newest, isCreated } = rollout
  const wanted = deployment.spec.replicas ?? 1
  const active = sets.filter((set) => replicasOf(set) > 0)
  const only = active.length > 1 ? undefined : (active[0] ?? sets.at(-1))
  if (only !== undefined) return sets.map((set) => (set === only ? withReplicas(set, wanted) : set))
  if (isCreated && isSaturated(rollout))
    return sets.map((set) => (set === newest ? set : withReplicas(set, 0)))
  if (strategyOf(deployment).type === 'Recreate') return [...sets]
  const most = maxReplicas(deployment)
  const toAdd = most - active.reduce((sum, set) => sum + replicasOf(set), 0)
  const sizes = new Map<ReplicaSet, number>()
  let added = 0
  const sorted = inOrder(active, toAdd > 0)
  for (const set of sorted) {
    const share = shareOf(set, deployment, toAdd, added)
    sizes.set(set, replicasOf(set) + share)
    added += share
  }
  const [largest] = sorted
  if (largest !== undefined) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added))
  return sets.map((set) => withReplicas(set, sizes.get(set) ?? replicasOf(set)))
}

function isSaturated({ deployment, newest, podsOf, isAvailable }: Rollout): boolean {
  const wanted = deployment.spec.replicas ?? 1
  const { desired } = sizesOf(newest)
  const available = (pods: readonly Pod[]) => pods.filter(isAvailable).length
  return replicasOf(newest) === wanted && desired === wanted && available(podsOf(newest)) === wanted
}

/** The largest first; of equal ones the newest when they grow, and the oldest when they shrink. */
function inOrder(sets: readonly ReplicaSet[], grows: boolean): ReplicaSet[] {
  const oldestFirst = grows ? sets.toReversed() : [...sets]
  return oldestFirst.sort((a, b) => replicasOf(b) - replicasOf(a))
}

/** GetReplicaSetProportion: the replicas that a ReplicaSet gets or loses. */
function shareOf(set: ReplicaSet, deployment: Deployment, toAdd: number, added: number): number {
  const left = toAdd - added
  if (toAdd === 0 || left === 0) return 0
  const size = replicasOf(set)
  const wanted = deployment.spec.replicas ?? 1
  const before = sizesOf(set).most || (deployment.status?.replicas ?? size)
  const share = wanted === 0 ? -size : Math.round((size * maxReplicas(deployment)) / before) - size
  return toAdd > 0 ? Math.min(share, left) : Math.max(share, left)
}
