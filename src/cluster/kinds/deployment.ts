import { ageColumn, column, nameColumn } from '../columns/column.js'
import { templateHash } from '../templateHash/templateHash.js'
import { isEnding } from '../pods/endPods.js'
import { isTerminal } from '../pods/podFacts.js'
import { deploymentSchema } from '../schema/workload.js'
import type { Cluster, Deployment, Pod } from '../types.js'
import { immutableSelector } from '../validation/workload.js'
import { defineKind } from './kind.js'
import {
  blankTemplate,
  observed,
  podCounts,
  selectorColumn,
  templateColumns,
  withoutZeros,
  workloadFields,
} from './workload.js'

/** A Deployment with its status, which the cluster types leave out. */
type PrintedDeployment = Deployment & {
  status?: Partial<Record<'replicas' | 'readyReplicas' | 'updatedReplicas' | 'availableReplicas', number>>
}

/** Deployment of apps/v1; columns as printDeployment of Kubernetes v1.36 writes them. */
export const deployment = defineKind<Deployment, PrintedDeployment>({
  ...workloadFields,
  plural: 'deployments',
  shortNames: ['deploy'],
  list: 'deployments',
  schema: deploymentSchema,
  validateUpdate: immutableSelector,
  statusOf: deploymentStatus,
  blank: { spec: { selector: null, template: blankTemplate, strategy: {} }, status: {} },
  columns: [
    nameColumn,
    column('Ready', 'ready pods and desired pods', ({ spec, status }) => {
      return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`
    }),
    column('Up-to-date', 'pods of the newest template', ({ status }) => status?.updatedReplicas ?? 0),
    column('Available', 'pods that count as available', ({ status }) => status?.availableReplicas ?? 0),
    ageColumn,
    ...templateColumns,
    selectorColumn,
  ],
})

/** The counts of a Deployment's pods, and its conditions. */
export function deploymentStatus(object: Deployment, cluster: Cluster): object {
  const { conditions } = object.status ?? {}
  const owned = cluster.pods.filter((pod) => isOwned(pod, object))
  const pods = owned.filter((pod) => !isEnding(pod) && !isTerminal(pod))
  const hash = templateHash(object.spec.template)
  const updated = pods.filter(({ metadata }) => (metadata.labels?.['pod-template-hash'] ?? hash) === hash)
  const { replicas, readyReplicas, availableReplicas } = podCounts(pods, object.spec, cluster)
  return {
    ...observed(object),
    ...withoutZeros({
      replicas,
      updatedReplicas: updated.length,
      readyReplicas,
      availableReplicas,
      unavailableReplicas: replicas - availableReplicas,
    }),
    terminatingReplicas: owned.filter(isEnding).length,
    ...(conditions === undefined ? {} : { conditions }),
  }
}

/** Owned by the Deployment, or by one of its ReplicaSets, named after the Deployment with a hash. */
function isOwned({ metadata }: Pod, owner: Deployment): boolean {
  const { name, namespace = 'default' } = owner.metadata
  if ((metadata.namespace ?? 'default') !== namespace) return false
  return (metadata.ownerReferences ?? []).some((one) => {
    if (one.kind === 'Deployment') return one.name === name
    return one.kind === 'ReplicaSet' && one.name.replace(/-[^-]+$/, '') === name
  })
}
