import { isTerminal } from '../pods/podFacts.js'
import type { Deployment, Pod, ReplicaSet } from '../types.js'

/** `spec.strategy` of a Deployment. */
interface Strategy {
  readonly type?: 'RollingUpdate' | 'Recreate'
  readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string }
}

/** The ReplicaSets of a Deployment at one step of its rollout. */
export interface Rollout {
  readonly deployment: Deployment
  readonly newest: ReplicaSet
  /** False when the newest ReplicaSet does not exist yet. */
  readonly isCreated: boolean
  readonly older: readonly ReplicaSet[]
  readonly podsOf: (set: ReplicaSet) => readonly Pod[]
  readonly isAvailable: (pod: Pod) => boolean
}

/**
 * One step of a rollout: the ReplicaSets of a Deployment, older ones first, with their next replicas. Mirrors
 * pkg/controller/deployment (rolling.go, recreate.go) of Kubernetes 1.36; scaling during a rollout is not proportional.
 */
export function rollOut(rollout: Rollout): ReplicaSet[] {
  const { deployment, newest, isCreated, older } = rollout
  if (deployment.spec['paused'] === true)
    return whilePaused(deployment.spec.replicas ?? 1, isCreated ? [...older, newest] : older)
  const stepped = strategyOf(deployment).type === 'Recreate' ? recreate(rollout) : roll(rollout)
  return [...kept(deployment, stepped.older), ...(stepped.newest === undefined ? [] : [stepped.newest])]
}

/** A paused Deployment only scales: the one ReplicaSet with pods, or the last one (FindActiveOrLatest). */
function whilePaused(wanted: number, sets: readonly ReplicaSet[]): ReplicaSet[] {
  const active = sets.filter((set) => replicasOf(set) > 0)
  const scaled = active.length > 1 ? undefined : (active[0] ?? sets.at(-1))
  return sets.map((set) => (set === scaled ? withReplicas(set, wanted) : set))
}

function strategyOf({ spec }: Deployment): Strategy {
  return spec['strategy'] ?? {}
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

interface Bounds {
  readonly surge: number
  readonly unavailable: number
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

/** Surge is rounded up, unavailable down; both zero would block the rollout (ResolveFenceposts). */
function bounds({ rollingUpdate = {} }: Strategy, wanted: number): Bounds {
  const { maxSurge = '25%', maxUnavailable = '25%' } = rollingUpdate
  const surge = share(maxSurge, wanted, Math.ceil)
  const unavailable = share(maxUnavailable, wanted, Math.floor)
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, wanted) }
}

/** The most pods that a Deployment may have during a rollout. */
export function maxReplicas(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec
  const strategy = strategyOf(deployment)
  return replicas + (strategy.type === 'Recreate' || replicas === 0 ? 0 : bounds(strategy, replicas).surge)
}

/** How many pods of a Deployment may be unavailable. */
export function maxUnavailable(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec
  const strategy = strategyOf(deployment)
  return strategy.type === 'Recreate' ? 0 : Math.min(replicas, bounds(strategy, replicas).unavailable)
}

/** A ReplicaSet with this number of replicas; the same object when it has them already. */
export function withReplicas(set: ReplicaSet, replicas: number): ReplicaSet {
  return set.spec.replicas === replicas ? set : { ...set, spec: { ...set.spec, replicas } }
}

/** A number, or a percentage of the total. */
export function share(value: number | string, whole: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * whole) / 100)
}

/** Old ReplicaSets are kept, empty, up to revisionHistoryLimit. */
function kept(deployment: Deployment, older: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const limit = (deployment.spec['revisionHistoryLimit'] as number | undefined) ?? 10
  const empty = older.filter((set) => replicasOf(set) === 0)
  const tooOld = new Set(empty.slice(0, Math.max(0, empty.length - limit)))
  return older.filter((set) => !tooOld.has(set))
}

function replicasOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
