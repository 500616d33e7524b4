import { controllers } from '../cluster.js'
import { collectGarbage } from '../controllers/garbageCollector.js'
import { recording } from '../events/withEvents.js'
import { markRunning } from '../controllers/markRunning.js'
import { isEnding } from '../pods/endPods.js'
import { holding } from './finalizers.js'
import { isNodeReady } from '../nodeStatus.js'
import { isTerminal, podAddresses } from '../pods/podFacts.js'
import { podReady, podRemoved, podRunning } from '../pods/podStatus.js'
import type { Reconciler, Cluster, Pod } from '../types.js'
import { reconcile } from '../reconcile.js'

/** A rollout of many pods takes as many rounds as it has steps. */
const maxRounds = 10_000

/** The controllers of a live cluster: all except the pure kubelet, whose reports come from outside. */
const liveControllers: readonly Reconciler[] = controllers
  .filter((controller) => controller !== markRunning)
  // The garbage collector holds objects with finalizers itself.
  .map((controller) => (controller === collectGarbage ? controller : holding(controller)))

const recordingControllers = liveControllers.map(recording)

/** Runs the controllers on a live snapshot (`now` is set): pods are only marked for start or termination. */
export function reconcileLive(cluster: Cluster): Cluster {
  return reconcile(cluster, recordingControllers, maxRounds)
}

/**
 * The settled cluster: as if every start, probe and termination had succeeded at once. Pods of a node that is down are
 * not changed.
 */
export function foresee(cluster: Cluster): Cluster {
  const live = cluster.now === undefined ? { ...cluster, now: '1970-01-01T00:00:00Z' } : cluster
  return reconcile(live, [...liveControllers, finishEnding, startAll], maxRounds)
}

const finishEnding: Reconciler = (cluster) =>
  reachedPods(cluster)
    .filter(isEnding)
    .reduce((next, { metadata }) => podRemoved(next, metadata), cluster)

const startAll: Reconciler = (cluster) =>
  reachedPods(cluster)
    .filter((pod) => !isTerminal(pod))
    .reduce(
      (next, { metadata }) => podReady(podRunning(next, metadata, cluster.now ?? ''), metadata, true),
      cluster,
    )

/** Pods with addresses, on nodes whose kubelet is reachable. */
function reachedPods(cluster: Cluster): Pod[] {
  const reached = new Set(cluster.nodes.filter(isNodeReady).map(({ metadata }) => metadata.name))
  return cluster.pods.filter((pod) => podAddresses(pod).length > 0 && reached.has(pod.spec.nodeName ?? ''))
}
