import type { Deployment, KubeObject } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'
import { containersOf } from './deploymentTable.js'
import { selectorText } from './selectorText.js'

interface ReplicaSet extends KubeObject {
  kind: 'ReplicaSet'
  spec: Deployment['spec']
  status?: { replicas?: number; readyReplicas?: number }
}

/** Columns of `kubectl get replicasets`; cells as printReplicaSet of Kubernetes v1.36 writes them. */
export const replicaSetColumns: readonly Column<ReplicaSet>[] = [
  nameColumn,
  column('Desired', 'pods asked for', ({ spec }) => spec.replicas ?? 1, 'integer'),
  column('Current', 'pods that exist', ({ status }) => status?.replicas ?? 0, 'integer'),
  column('Ready', 'pods that are ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
  ageColumn,
  wideColumn('Containers', 'names of the containers', (replicaSet) => containersOf(replicaSet, 'name')),
  wideColumn('Images', 'images of the containers', (replicaSet) => containersOf(replicaSet, 'image')),
  wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) => selectorText(spec.selector)),
]
