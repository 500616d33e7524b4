import { lastAppliedKey } from '../applied.js'
import type { Deployment, KubeObject, ReplicaSet } from '../types.js'

const prefix = 'deployment.kubernetes.io/'
const key = `${prefix}revision`

/** The numbers that a ReplicaSet had before rollbacks to it, separated by commas. */
const historyKey = `${prefix}revision-history`

/**
 * The newest ReplicaSet of a Deployment, numbered after the older ones: a rollback gives it a new number, and keeps the
 * old one (SetNewReplicaSetAnnotations).
 */
export function withRevision(newest: ReplicaSet, older: readonly ReplicaSet[]): ReplicaSet {
  const highest = Math.max(0, ...older.map(revisionOf))
  if (!numbered(newest)) return annotated(newest, { [key]: String(highest + 1) })
  if (revisionOf(newest) > highest) return newest
  const { [key]: before = '', [historyKey]: earlier = '' } = newest.metadata.annotations ?? {}
  const history = earlier === '' ? before : `${earlier},${before}`
  return annotated(newest, { [key]: String(highest + 1), [historyKey]: history })
}

/** A ReplicaSet with the annotations of its Deployment, such as the cause of the change. */
export function withAnnotationsOf(deployment: Deployment, set: ReplicaSet): ReplicaSet {
  const present = set.metadata.annotations ?? {}
  const added = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name, value]) => !isOwnAnnotation(name) && present[name] !== value,
  )
  return added.length === 0 ? set : annotated(set, Object.fromEntries(added))
}

/** A Deployment with the revision of its newest ReplicaSet. */
export function withRevisionOf(deployment: Deployment, newest: ReplicaSet): Deployment {
  const revision = newest.metadata.annotations?.[key]
  const same = revision === undefined || deployment.metadata.annotations?.[key] === revision
  return same ? deployment : annotated(deployment, { [key]: revision })
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
  return Object.entries(sizes).every(([name, value]) => annotations?.[name] === value)
    ? set
    : annotated(set, sizes)
}

/** What `withSizes` has noted; undefined for what it has not. */
export function sizesOf({ metadata }: ReplicaSet): { desired: number | undefined; most: number | undefined } {
  const number = (name: string) => {
    const text = metadata.annotations?.[`${prefix}${name}`]
    return text === undefined ? undefined : Number(text)
  }
  return { desired: number('desired-replicas'), most: number('max-replicas') }
}

/** True for an annotation of a Deployment that its ReplicaSets do not get. */
function isOwnAnnotation(name: string): boolean {
  return name.startsWith(prefix) || name === lastAppliedKey
}

function annotated<Kind extends KubeObject>(object: Kind, added: Readonly<Record<string, string>>): Kind {
  const annotations = { ...object.metadata.annotations, ...added }
  return { ...object, metadata: { ...object.metadata, annotations } }
}
