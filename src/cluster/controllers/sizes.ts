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

/** The strategy of a Deployment. */
export function strategyOf({ spec }: Deployment): Strategy {
  return spec['strategy'] ?? {}
}

interface Bounds {
  readonly surge: number
  readonly unavailable: number
}

/** Surge is rounded up, unavailable down; both zero would block the rollout (ResolveFenceposts). */
export function bounds({ rollingUpdate = {} }: Strategy, wanted: number): Bounds {
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

/** The replicas that a ReplicaSet should have. */
export function replicasOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}
