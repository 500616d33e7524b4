import type { Deployment } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'
import { selectorText } from './selectorText.js'

/** A Deployment with its status, which the cluster types leave out. */
export type PrintedDeployment = Deployment & {
  status?: Partial<Record<'replicas' | 'readyReplicas' | 'updatedReplicas' | 'availableReplicas', number>>
}

/** Columns of `kubectl get deployments`; cells as printDeployment of Kubernetes v1.36 writes them. */
export const deploymentColumns: readonly Column<PrintedDeployment>[] = [
  nameColumn,
  column('Ready', 'ready pods, of those asked for', ({ spec, status }) => {
    return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`
  }),
  column('Up-to-date', 'pods of the newest template', ({ status }) => status?.updatedReplicas ?? 0),
  column('Available', 'pods that count as available', ({ status }) => status?.availableReplicas ?? 0),
  ageColumn,
  wideColumn('Containers', 'names of the containers', (deployment) => containersOf(deployment, 'name')),
  wideColumn('Images', 'images of the containers', (deployment) => containersOf(deployment, 'image')),
  wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) => selectorText(spec.selector)),
]

/** A field of every container of a pod template, comma-separated. */
export function containersOf(
  { spec }: { readonly spec: Pick<Deployment['spec'], 'template'> },
  field: 'name' | 'image',
): string {
  return spec.template.spec.containers.map((container) => container[field]).join(',')
}
