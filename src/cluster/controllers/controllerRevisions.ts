import { objectKey } from '../manifests/locatedObject.js'
import { isEnding } from '../pods/endPods.js'
import { byController, controlledBy, controllerKey, withControllers } from '../owners.js'
import { matchesSelector } from '../selectors.js'
import { revisionData, revisionHash } from '../templateHash/templateHash.js'
import type { Cluster, ControllerRevision, DaemonSet, Pod, StatefulSet } from '../types.js'

type Owner = StatefulSet | DaemonSet

const podLabel = 'controller-revision-hash'

/**
 * Keeps the templates of StatefulSets and DaemonSets as ControllerRevisions, up to revisionHistoryLimit: each template
 * once, with the highest number for the current one (pkg/controller/history and daemon/update.go of Kubernetes 1.36).
 */
export function reconcileControllerRevisions(cluster: Cluster): Cluster {
  const present = cluster.controllerRevisions ?? []
  const owners: readonly Owner[] = [...(cluster.statefulSets ?? []), ...(cluster.daemonSets ?? [])]
  const existing = withControllers(present, owners, ({ spec }, { metadata }) =>
    matchesSelector(spec.selector, metadata.labels),
  )
  const owned = byController(existing)
  const orphans = existing.filter((revision) => controllerKey(revision) === undefined)
  const podsOf = podsByOwner(cluster)
  const own = owners.flatMap((owner) => {
    const revisions = owned.get(objectKey(owner)) ?? []
    if (isEnding(owner)) return revisions
    const current = withCurrent(owner, revisions)
    return withinLimit(owner, current, () => podsOf(owner))
  })
  const next = [...orphans, ...own]
  const same = next.length === present.length && next.every((one, index) => one === present[index])
  return same ? cluster : { ...cluster, controllerRevisions: next }
}

/** The pods of an owner; they are grouped at the first call. */
function podsByOwner({ pods }: Cluster): (owner: Owner) => readonly Pod[] {
  let groups: Map<string, Pod[]> | undefined
  return (owner) => {
    groups ??= byController(pods)
    return groups.get(objectKey(owner)) ?? []
  }
}

/** The revisions of an owner, the current one last. */
function withCurrent(owner: Owner, revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  const name = `${owner.metadata.name}-${revisionHash(owner)}`
  const last = revisions.at(-1)
  if (last?.metadata.name === name) return revisions
  const revision = (last?.revision ?? 0) + 1
  const known = revisions.find(({ metadata }) => metadata.name === name)
  const current = known === undefined ? makeRevision(owner, revision) : { ...known, revision }
  return [...revisions.filter((one) => one !== known), current]
}

/** Without the oldest revisions above the limit; those of pods are kept, and a DaemonSet counts them. */
function withinLimit(
  owner: Owner,
  revisions: readonly ControllerRevision[],
  podsOf: () => readonly Pod[],
): readonly ControllerRevision[] {
  const limit = (owner.spec['revisionHistoryLimit'] as number | undefined) ?? 10
  if (revisions.length - 1 <= limit) return revisions
  const current = owner.kind === 'StatefulSet' ? owner.status?.currentRevision : undefined
  const live = new Set([current, ...podsOf().map(({ metadata }) => metadata.labels?.[podLabel])])
  const old = revisions.slice(0, -1)
  const unused = old.filter(({ metadata }) => !live.has(metadata.name) && !live.has(hashOf(owner, metadata)))
  const counted = owner.kind === 'DaemonSet' ? old : unused
  const dropped = new Set(unused.slice(0, Math.max(0, counted.length - limit)))
  return revisions.filter((one) => !dropped.has(one))
}

function hashOf(owner: Owner, { name }: ControllerRevision['metadata']): string {
  return name.slice(owner.metadata.name.length + 1)
}

function makeRevision(owner: Owner, revision: number): ControllerRevision {
  const { name, namespace, annotations } = owner.metadata
  const { template } = owner.spec
  const hash = revisionHash(owner)
  const hashLabel = owner.kind === 'DaemonSet' ? podLabel : 'controller.kubernetes.io/hash'
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: controlledBy(owner),
    },
    data: revisionData(template),
    revision,
  }
}
