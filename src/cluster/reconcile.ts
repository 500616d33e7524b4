import type { Cluster, Reconciler } from './types.js'

const fewRounds = 50

/** Runs reconcilers in order until a whole round changes nothing; throws when the limit of rounds is reached. */
export function reconcile(
  cluster: Cluster,
  reconcilers: readonly Reconciler[],
  maxRounds = fewRounds,
): Cluster {
  let current = cluster
  for (let round = 0; round < maxRounds; round++) {
    const next = reconcilers.reduce((snapshot, step) => step(snapshot), current)
    if (next === current) return current
    current = next
  }
  throw new Error(`the cluster still changes after ${maxRounds} rounds of reconciling`)
}
