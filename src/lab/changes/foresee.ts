import { foresee, makeChange, nodeReady } from '../../cluster/changes/index.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { labState } from '../plan/labState.js'
import type { LabState } from '../live/types.js'
import type { Names } from '../names/names.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { LabChange } from './types.js'

/** A fixed time: no time passes in a simulation. */
const someTime = '2000-01-01T00:00:00Z'

/**
 * Simulates a lab's changes step by step, as if all pods started and ended at once and every probe succeeded: returns the
 * names after each. Throws InputError for a change that the API server would reject.
 */
export function createForesight(initial: LabState, options: ClusterOptions): (step: ResolvedStep) => Names {
  let state = initial
  return ({ action }) => {
    if (action.kind !== 'change') return state.names
    const changed = action.changes.reduce(
      (cluster, change) => afterChange(cluster, change, options),
      state.cluster,
    )
    // names do not depend on the placement of pods
    if (changed !== state.cluster) state = labState(foresee(changed), initial.topology)
    return state.names
  }
}

function afterChange(cluster: LabState['cluster'], change: LabChange, options: ClusterOptions) {
  if (change.of === 'node') return nodeReady(cluster, change.node, change.state === 'up')
  if (change.of === 'kube-proxy') return cluster
  return makeChange(cluster, change.change, { ...options, now: someTime }).cluster
}
