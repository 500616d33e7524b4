import { revisionHash } from '../templateHash/templateHash.js'
import type { Pod, StatefulSet } from '../types.js'

/** The label of a pod with the ControllerRevision of its template. */
export const revisionLabel = 'controller-revision-hash'

/** The name of the ControllerRevision of the template that a StatefulSet has now. */
export function updateRevision(set: StatefulSet): string {
  return `${set.metadata.name}-${revisionHash(set)}`
}

/** The revision of a pod's template; empty for a pod without one. */
export function revisionOf({ metadata }: Pod): string {
  return metadata.labels?.[revisionLabel] ?? ''
}

/** The revision that a rollout replaces. Before the controller has noted one it is that of an older pod. */
export function currentRevision(set: StatefulSet, owned: readonly Pod[]): string {
  const update = updateRevision(set)
  return (
    set.status?.currentRevision ?? owned.map(revisionOf).find((one) => one !== '' && one !== update) ?? update
  )
}
