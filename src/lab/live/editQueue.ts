import { setImmediate } from 'node:timers/promises'
import { reconcileLive } from '../../cluster/changes/index.js'
import { withEvents } from '../../cluster/events/withEvents.js'
import type { Cluster } from '../../cluster/types.js'
import type { Topology } from '../../topology/types.js'
import { labState } from '../../snapshot/model/labState.js'
import type { Follower } from './types.js'
import type { LabState } from '../../snapshot/model/labState.js'

/** A change of the cluster as a pure function; returning the same object means that nothing changed. */
export type Edit = (cluster: Cluster) => Cluster

/** The state of a running lab, and the one place that changes it. */
export interface EditQueue {
  state(): LabState
  /**
   * Applies an edit and runs the controllers; resolves when everything follows. Edits that arrive meanwhile wait, and are
   * then applied together. Rejects with the error of the edit, which then changes nothing, or of a follower.
   */
  edit(edit: Edit): Promise<void>
  onState(listener: (state: LabState) => void): () => void
  follow(follower: Follower): void
  /** True while an edit waits, or something does not follow the state yet. */
  busy(): boolean
}

export interface EditQueueParts {
  readonly initial: LabState
  /** The topology with the next cluster's pods; begins to start and stop them. */
  readonly topologyOf: (next: Cluster, before: LabState) => Topology
  readonly followers: readonly Follower[]
  /** Called when no edit waits and everything follows the state. */
  readonly idle: () => void
}

interface Waiting {
  readonly edit: Edit
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Applies one batch of edits after the other: followers and listeners never see a partial edit. */
export function createEditQueue({ initial, topologyOf, followers, idle }: EditQueueParts): EditQueue {
  let state = initial
  let waiting: Waiting[] = []
  let busy = false
  const following = [...followers]
  const listeners = new Set<(state: LabState) => void>()

  async function work(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const { cluster, made } = await makeEdits(state.cluster, batch)
      try {
        if (cluster !== state.cluster) await adopt(cluster)
        for (const { done } of made) done()
      } catch (error) {
        for (const { failed } of made) failed(error)
      }
    }
    busy = false
    idle()
  }

  async function adopt(cluster: Cluster): Promise<void> {
    state = labState(cluster, topologyOf(cluster, state))
    const results = await Promise.allSettled(following.map((follow) => follow(state)))
    for (const listener of listeners) listener(state)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  return {
    state: () => state,
    busy: () => busy,
    edit(edit) {
      return new Promise<void>((resolve, reject) => {
        waiting.push({ edit, done: resolve, failed: reject })
        // edits of the same tick are applied together
        if (!busy) {
          busy = true
          queueMicrotask(() => void work())
        }
      })
    },
    follow: (follower) => void following.push(follower),
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Applies the edits in order, and runs the controllers after each; an edit that throws changes nothing. Between two of them, signals
 * and messages come.
 */
async function makeEdits(
  before: Cluster,
  batch: readonly Waiting[],
): Promise<{ cluster: Cluster; made: Waiting[] }> {
  let cluster = before
  const made: Waiting[] = []
  for (const [index, one] of batch.entries()) {
    if (index > 0) await setImmediate()
    try {
      const edited = one.edit(cluster)
      if (edited !== cluster)
        cluster = reconcileLive(withEvents(cluster, { ...edited, now: new Date().toISOString() }))
      made.push(one)
    } catch (error) {
      one.failed(error)
    }
  }
  return { cluster, made }
}
