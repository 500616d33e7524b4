import type { Change } from '../../cluster/changes/types.js'
import type { Cluster } from '../../cluster/types.js'
import type { TopologyView } from '../../results/events.js'
import type { Topology } from '../../topology/types.js'
import type { Names } from '../names/names.js'

/** What a lab is made of at one moment. */
export interface LabState {
  readonly cluster: Cluster
  readonly topology: Topology
  readonly view: TopologyView
  readonly names: Names
}

/** The cluster of a running lab, which changes: what kubectl, kubelets and controllers do. */
export interface LiveCluster {
  state(): LabState
  /**
   * Makes a change and resolves, with what kubectl would say, once every node's rules follow it; pods may still be on
   * their way. Throws InputError in the API server's words, with nothing changed.
   */
  change(change: Change): Promise<readonly string[]>
  /** Resolves when everything, every node's rules too, follows the state of this moment. */
  followed(): Promise<void>
  /** Resolves when nothing is on its way any more, or after the timeout with what still is, a line each. */
  settled(timeoutMs: number): Promise<readonly string[]>
  /** Takes a node off the fabric, or puts it back; the Node object's Ready condition follows. */
  setNode(node: string, state: 'up' | 'down'): Promise<void>
  /** Ends a node's kube-proxy and starts it anew: a full sync. */
  restartKubeProxy(node: string): Promise<void>
  /** Has something more follow the cluster from now on: a change is not over before it has. */
  follow(follower: Follower): void
  /** Calls the listener with each new state; returns what ends that. */
  onState(listener: (state: LabState) => void): () => void
}

/** Keeps something in step with the cluster; called after each change, one call at a time. */
export type Follower = (state: LabState) => Promise<void>
