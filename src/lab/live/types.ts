import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { WritesMade } from '../../apiserver/write/makeWrites.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { Cluster } from '../../cluster/types.js'

/** The cluster of a running lab, changed by kubectl, kubelets and controllers. */
export interface LiveCluster {
  state(): LabState
  /** Containers that have failed and are not up again, one line each. */
  failedContainers(): readonly string[]
  /**
   * Makes writes, which may be based on a snapshot, as `makeWrites` does; resolves once every node's rules follow them. Pods may still be
   * starting or ending. If it throws, nothing has changed.
   */
  write(writes: readonly ObjectWrite[], seen?: Cluster): Promise<WritesMade>
  /** Resolves when everything, including every node's rules, follows the current state. */
  followed(): Promise<void>
  /** Resolves when the lab has settled, or after the timeout with what has not, one line each. */
  settled(timeoutMs: number): Promise<readonly string[]>
  /** Disconnects a node from the fabric, or reconnects it; the Node object's Ready condition follows. */
  setNode(node: string, state: 'up' | 'down'): Promise<void>
  /** Restarts a node's kube-proxy, which begins with a full sync. */
  restartKubeProxy(node: string): Promise<void>
  /** Adds a follower of the cluster: a change is complete only after it has run. */
  follow(follower: Follower): void
  /** Calls the listener with each new state; returns the function that removes it. */
  onState(listener: (state: LabState) => void): () => void
}

/** Keeps something in step with the cluster; called after each change, one call at a time. */
export type Follower = (state: LabState) => Promise<void>
