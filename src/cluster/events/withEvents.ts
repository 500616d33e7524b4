import type { Cluster, Reconciler } from '../types.js'
import { withRecorded } from './eventLog.js'
import { podOccurrences } from './podEvents.js'
import { changedJobs, madeAndDeletedPods, scaledReplicaSets } from './workloadEvents.js'

/** A cluster after an edit, with the Events of what the scheduler and kubelets did. */
export function withEvents(before: Cluster, after: Cluster): Cluster {
  return before === after ? after : withRecorded(after, podOccurrences(before, after))
}

/** A controller that also records Events of what it does. */
export function recording(reconciler: Reconciler): Reconciler {
  return (before) => {
    const after = reconciler(before)
    return before === after
      ? after
      : withRecorded(after, [
          ...scaledReplicaSets(before, after),
          ...madeAndDeletedPods(before, after),
          ...changedJobs(before, after),
          ...podOccurrences(before, after),
        ])
  }
}

/** A cluster that was built from manifests, with the Events of its start at `now` (RFC 3339). */
export function withStartEvents(cluster: Cluster, now: string): Cluster {
  const empty: Cluster = { ...cluster, pods: [], replicaSets: [] }
  const { events } = withRecorded({ ...cluster, now }, [
    ...scaledReplicaSets(empty, cluster),
    ...madeAndDeletedPods(empty, cluster),
    ...podOccurrences(empty, cluster),
  ])
  return events === undefined ? cluster : { ...cluster, events }
}
