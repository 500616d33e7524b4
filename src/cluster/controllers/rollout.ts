import { isScaled, scaleAll } from './proportional.js'
import { bounds, replicasOf, strategyOf, withReplicas, type Rollout } from './sizes.js'
import { isTerminal } from '../pods/podFacts.js'
import type { Deployment, ReplicaSet } from '../types.js'

/**
 * One step of a rollout: the ReplicaSets of a Deployment, older ones first, with their next replicas. Mirrors
 * pkg/controller/deployment (sync.go, rolling.go, recreate.go) of Kubernetes 1.36.
 */
export function rollOut(rollout: Rollout): ReplicaSet[] {
  const { deployment, newest, isCreated, older } = rollout
  const present = isCreated ? [...older, newest] : older
  if (deployment.spec['paused'] === true || isScaled(deployment, present)) return scaleAll(rollout, present)
  const stepped = strategyOf(deployment).type === 'Recreate' ? recreate(rollout) : roll(rollout)
  return [...kept(deployment, stepped.older), ...(stepped.newest === undefined ? [] : [stepped.newest])]
}

interface Step {
  readonly newest: ReplicaSet | undefined
  readonly older: readonly ReplicaSet[]
}

/** All old pods are deleted first; new ones are created when no old pod runs any more. */
function recreate({ deployment, newest, isCreated, older, podsOf }: Rollout): Step {
  const emptied = older.map((set) => withReplicas(set, 0))
  const runs = older.some((set) => podsOf(set).some((pod) => !isTerminal(pod)))
  if (runs) return { newest: isCreated ? newest : undefined, older: emptied }
  return { newest: withReplicas(newest, deployment.spec.replicas ?? 1), older: emptied }
}

function roll({ deployment, newest, isCreated, older, podsOf, isAvailable }: Rollout): Step {
  const wanted = deployment.spec.replicas ?? 1
  const { surge, unavailable } = bounds(strategyOf(deployment), wanted)
  const total = sum([newest, ...older].map(replicasOf))
  const grown = withReplicas(newest, scaledUp(wanted, wanted + surge, total, replicasOf(newest)))
  // scaling up and scaling down are two syncs: the second one needs the pods of the first
  if (grown !== newest || !isCreated) return { newest: grown, older }
  const available = (set: ReplicaSet) => podsOf(set).filter(isAvailable).length
  const least = wanted - unavailable
  const newUnavailable = replicasOf(newest) - available(newest)
  const most = total - least - newUnavailable
  if (most <= 0) return { newest, older }
  const cleaned = withoutUnhealthy(older, most, available)
  return { newest, older: scaledDown(cleaned, least, available, available(newest)) }
}

/** NewRSNewReplicas: up to the surge limit; down at once when there are too many. */
function scaledUp(wanted: number, most: number, total: number, current: number): number {
  if (current >= wanted) return wanted
  return total >= most ? current : current + Math.min(most - total, wanted - current)
}

/** Unavailable old pods serve no requests: they are deleted first. */
function withoutUnhealthy(
  older: readonly ReplicaSet[],
  most: number,
  available: (set: ReplicaSet) => number,
): ReplicaSet[] {
  let left = most
  return older.map((set) => {
    const gone = Math.min(left, Math.max(0, replicasOf(set) - available(set)))
    left -= gone
    return withReplicas(set, replicasOf(set) - gone)
  })
}

function scaledDown(
  older: readonly ReplicaSet[],
  least: number,
  available: (set: ReplicaSet) => number,
  newAvailable: number,
): ReplicaSet[] {
  let left = Math.max(0, newAvailable + sum(older.map(available)) - least)
  return older.map((set) => {
    const gone = Math.min(left, replicasOf(set))
    left -= gone
    return withReplicas(set, replicasOf(set) - gone)
  })
}

/** Old ReplicaSets are kept, empty, up to revisionHistoryLimit. */
function kept(deployment: Deployment, older: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const limit = (deployment.spec['revisionHistoryLimit'] as number | undefined) ?? 10
  const empty = older.filter((set) => replicasOf(set) === 0)
  const tooOld = new Set(empty.slice(0, Math.max(0, empty.length - limit)))
  return older.filter((set) => !tooOld.has(set))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
