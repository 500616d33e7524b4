import type { Deployment, KubeObject, ReplicaSet } from '../types.js'

const prefix = 'deployment.kubernetes.io/'
const key = `${prefix}revision`

/** The newest ReplicaSet of a Deployment, numbered after the older ones; a rollback gets a new number. */
export function withRevision(newest: ReplicaSet, older: readonly ReplicaSet[]): ReplicaSet {
  const highest = Math.max(0, ...older.map(revisionOf))
  return revisionOf(newest) > highest && numbered(newest) ? newest : annotated(newest, String(highest + 1))
}

/** A Deployment with the revision of its newest ReplicaSet. */
export function withRevisionOf(deployment: Deployment, newest: ReplicaSet): Deployment {
  const revision = newest.metadata.annotations?.[key]
  const same = revision === undefined || deployment.metadata.annotations?.[key] === revision
  return same ? deployment : annotated(deployment, revision)
}

function numbered({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[key] !== undefined
}

// A ReplicaSet from before the cluster was live is its Deployment's first.
function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[key] ?? 1)
}

/** A ReplicaSet with the replicas that its Deployment wants and the most that it may have during a rollout. */
export function withSizes(set: ReplicaSet, desired: number, most: number): ReplicaSet {
  const sizes = {
    [`${prefix}desired-replicas`]: String(desired),
    [`${prefix}max-replicas`]: String(most),
  }
  const { annotations } = set.metadata
  if (Object.entries(sizes).every(([name, value]) => annotations?.[name] === value)) return set
  return { ...set, metadata: { ...set.metadata, annotations: { ...annotations, ...sizes } } }
}

/** True for an annotation of a Deployment that its ReplicaSets do not get. */
export function isOwnAnnotation(name: string): boolean {
  return name.startsWith(prefix) || name === 'kubectl.kubernetes.io/last-applied-configuration'
}

function annotated<Kind extends KubeObject>(object: Kind, revision: string): Kind {
  const annotations = { ...object.metadata.annotations, [key]: revision }
  return { ...object, metadata: { ...object.metadata, annotations } }
}
