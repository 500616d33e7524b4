import { objectKey } from '../manifests/locatedObject.js'
import { byController, controlledBy, controllerKey, withControllers } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import { isAvailable } from '../pods/availability.js'
import { matchesSelector } from '../selectors.js'
import { templateHash } from '../templateHash/templateHash.js'
import type { Cluster, Deployment, Pod, ReplicaSet } from '../types.js'
import { withConditions, type Progress } from './deploymentConditions.js'
import { withAnnotationsOf, withRevision, withRevisionOf, withSizes } from './revision.js'
import { rollOut } from './rollout.js'
import { maxReplicas, withReplicas } from './sizes.js'

const hashLabel = 'pod-template-hash'

/**
 * Deployment controller: a ReplicaSet for the current template. A live cluster scales older ones down step by step; a
 * static snapshot has only the newest.
 */
export function reconcileDeployments(cluster: Cluster): Cluster {
  const present = cluster.replicaSets ?? []
  const existing =
    cluster.now === undefined
      ? present
      : withControllers(present, cluster.deployments, ({ spec }, { metadata }) =>
          matchesSelector(spec.selector, metadata.labels),
        )
  const owned = byController(existing)
  const pods = byController(cluster.pods)
  const podsOf = (set: ReplicaSet) => pods.get(objectKey(set)) ?? []
  const next = cluster.deployments.map((deployment) => {
    const own = owned.get(objectKey(deployment)) ?? []
    const next = nextReplicaSets(deployment, own, podsOf, cluster)
    const numbered = next.newest === undefined ? deployment : withRevisionOf(deployment, next.newest)
    return { ...next, deployment: withConditions({ ...next, deployment: numbered, podsOf, cluster }) }
  })
  const live = new Set(cluster.deployments.map(objectKey))
  const kept = existing.filter((set) => !live.has(controllerKey(set) ?? ''))
  const replicaSets = [...kept, ...next.flatMap(({ sets }) => sets)]
  const deployments = next.map(({ deployment }) => deployment)
  const same = isSame(replicaSets, present) && isSame(deployments, cluster.deployments)
  return same ? cluster : { ...cluster, deployments, replicaSets }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

/** The newest one is absent before it is created: while its Deployment is paused, or old pods run that are recreated. */
type ReplicaSets = Pick<Progress, 'newest' | 'isNew' | 'sets'>

function nextReplicaSets(
  deployment: Deployment,
  own: readonly ReplicaSet[],
  podsOf: (set: ReplicaSet) => readonly Pod[],
  cluster: Cluster,
): ReplicaSets {
  const made = makeReplicaSet(deployment)
  const key = objectKey(made)
  const current = own.find((set) => objectKey(set) === key)
  if (isEnding(deployment)) return { newest: current, isNew: false, sets: own }
  const older = own.filter((set) => set !== current)
  const newest = withRevision(
    withAnnotationsOf(deployment, withMinReady(current ?? withReplicas(made, 0), made)),
    older,
  )
  const stepped =
    cluster.now === undefined
      ? deployment.spec['paused'] === true
        ? []
        : [withReplicas(newest, deployment.spec.replicas ?? 1)]
      : rollOut({
          deployment,
          newest,
          isCreated: current !== undefined,
          older,
          podsOf,
          isAvailable: (pod) => isAvailable(pod, deployment.spec, cluster),
        })
  const before = new Map(own.map((set) => [objectKey(set), set]))
  const sets = stepped.map((set) => scaled(set, before.get(objectKey(set)), deployment))
  return { newest: sets.find((set) => objectKey(set) === key), isNew: current === undefined, sets }
}

/** The minReadySeconds of a Deployment are not part of its template: the ReplicaSet follows them. */
function withMinReady(set: ReplicaSet, made: ReplicaSet): ReplicaSet {
  const { minReadySeconds } = made.spec
  if (set.spec['minReadySeconds'] === minReadySeconds) return set
  const { minReadySeconds: _old, ...spec } = set.spec
  return { ...set, spec: minReadySeconds === undefined ? spec : { ...spec, minReadySeconds } }
}

/** A ReplicaSet whose generation counts the changes of its replicas, with the sizes of its Deployment. */
function scaled(set: ReplicaSet, before: ReplicaSet | undefined, deployment: Deployment): ReplicaSet {
  if (before !== undefined && set.spec.replicas === before.spec.replicas && set.spec.replicas === 0)
    return set
  const sized = withSizes(set, deployment.spec.replicas ?? 1, maxReplicas(deployment))
  if (before !== undefined && set.spec.replicas === before.spec.replicas) return sized
  const generation = before === undefined ? 1 : (before.metadata.generation ?? 1) + 1
  return { ...sized, metadata: { ...sized.metadata, generation } }
}

function makeReplicaSet(deployment: Deployment): ReplicaSet {
  const { metadata, spec } = deployment
  const { template, minReadySeconds } = spec
  const hash = templateHash(template)
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      ownerReferences: controlledBy(deployment),
    },
    spec: {
      replicas: spec.replicas ?? 1,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}
