import type { Change } from '../../cluster/changes/types.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { WriteResult } from '../../apiserver/write/writer.js'
import type { Cluster } from '../../cluster/types.js'
import type { TopologyView } from '../../results/events.js'
import type { Topology } from '../../topology/types.js'
import type { Names } from '../names/names.js'

/** The state of a lab at one moment. */
export interface LabState {
  readonly cluster: Cluster
  readonly topology: Topology
  readonly view: TopologyView
  readonly names: Names
}

/** The cluster of a running lab, changed by kubectl, kubelets and controllers. */
export interface LiveCluster {
  state(): LabState
  /** Containers that have failed and are not up again, one line each. */
  failedContainers(): readonly string[]
  /**
   * Makes a change and resolves, with the lines that kubectl would print, once every node's rules follow it; pods may
   * still be starting or ending. If the change is invalid, throws InputError with the API server's message and changes nothing.
   */
  change(change: Change): Promise<readonly string[]>
  /**
   * Makes a write of the Kubernetes API that is based on a snapshot; resolves once every node's rules follow it. A write that
   * is invalid or stale changes nothing.
   */
  write(write: ObjectWrite, seen: Cluster | undefined): Promise<WriteResult>
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
