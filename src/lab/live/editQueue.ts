import { reconcileLive } from '../../cluster/changes/index.js'
import type { Cluster } from '../../cluster/types.js'
import type { Topology } from '../../topology/types.js'
import { labState } from '../plan/labState.js'
import type { Follower, LabState } from './types.js'

/** A change of the cluster as a pure function; the very same snapshot means that nothing changed. */
export type Edit = (cluster: Cluster) => Cluster

/** The state of a running lab, and the one place that changes it. */
export interface EditQueue {
  state(): LabState
  /**
   * Makes an edit and what the controllers make of it; resolves when everything follows. Edits that come meanwhile wait,
   * and then go together. Rejects with what the edit throws, nothing changed then, or with what a follower throws.
   */
  edit(edit: Edit): Promise<void>
  onState(listener: (state: LabState) => void): () => void
  follow(follower: Follower): void
  /** True while an edit waits, or something does not follow the state yet. */
  busy(): boolean
}

export interface EditQueueParts {
  readonly initial: LabState
  /** Where the next cluster's pods are; begins to make and to end them. */
  readonly topologyOf: (next: Cluster, before: LabState) => Topology
  readonly followers: readonly Follower[]
  /** Told when no edit waits any more and everything follows. */
  readonly idle: () => void
}

interface Waiting {
  readonly edit: Edit
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** One edit after the other, so that nobody ever sees half of one. */
export function createEditQueue({ initial, topologyOf, followers, idle }: EditQueueParts): EditQueue {
  let state = initial
  let waiting: Waiting[] = []
  let busy = false
  const following = [...followers]
  const listeners = new Set<(state: LabState) => void>()

  async function work(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const turn = waiting
      waiting = []
      const { cluster, made } = makeEdits(state.cluster, turn)
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
        // edits of the same moment go together
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

/** The edits one after the other, each with what the controllers make of it; one that throws leaves no trace. */
function makeEdits(before: Cluster, turn: readonly Waiting[]): { cluster: Cluster; made: Waiting[] } {
  let cluster = before
  const made: Waiting[] = []
  for (const one of turn) {
    try {
      const edited = one.edit(cluster)
      if (edited !== cluster) cluster = reconcileLive({ ...edited, now: new Date().toISOString() })
      made.push(one)
    } catch (error) {
      one.failed(error)
    }
  }
  return { cluster, made }
}
