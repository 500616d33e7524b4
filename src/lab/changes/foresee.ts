import { makeWrites } from '../../apiserver/write/makeWrites.js'
import { foresee, nodeReady } from '../../cluster/changes/index.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { labState } from '../../snapshot/model/labState.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { Names } from '../../names/names.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { LabChange } from './types.js'

/** A fixed time: no time passes in a simulation. */
const someTime = '2000-01-01T00:00:00Z'

/**
 * Simulates a lab's changes step by step, as if all pods started and ended at once and every probe succeeded: returns the
 * names after each. After a step that does not wait for the lab to settle, pods that it ended still have their names.
 * Throws InputError for a change that the API server would reject.
 */
export function createForesight(initial: LabState, options: ClusterOptions): (step: ResolvedStep) => Names {
  let state = initial
  return ({ action }) => {
    if (action.kind !== 'change') return state.names
    const changed = action.changes.reduce(
      (cluster, change) => afterChange(cluster, change, options),
      state.cluster,
    )
    if (changed === state.cluster) return state.names
    // names do not depend on the placement of pods
    const settled = foresee(changed)
    state = labState(settled, initial.topology)
    if (action.settleSeconds !== false) return state.names
    const pods = [
      ...settled.pods,
      ...changed.pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ]
    return labState({ ...settled, pods }, initial.topology).names
  }
}

function afterChange(cluster: LabState['cluster'], change: LabChange, options: ClusterOptions) {
  if (change.of === 'node') return nodeReady(cluster, change.node, change.state === 'up')
  if (change.of === 'kube-proxy') return cluster
  return makeWrites(cluster, change.writes, { ...options, now: someTime }).cluster
}
