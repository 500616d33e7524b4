import { wideColumn, type Column } from '../columns/column.js'
import { selectorText } from '../columns/selectorText.js'
import { defaultWorkload } from '../defaults/workload.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import { isReady } from '../pods/podFacts.js'
import type { Cluster, KubeObject, LabelSelector, Pod, PodSpec } from '../types.js'
import { validateWorkload } from '../validation/workload.js'

/** Fields that the kinds with a pod template share. */
export const workloadFields = {
  group: 'apps',
  categories: ['all'],
  setDefaults: defaultWorkload,
  validate: validateWorkload,
}

/** An empty pod template. */
export const blankTemplate = { metadata: {}, spec: { containers: null } }

/** The pods of a controller, without terminating ones. */
export function podsOf(owner: KubeObject, { pods }: Cluster): Pod[] {
  const key = objectKey(owner)
  return pods.filter((pod) => controllerKey(pod) === key && !isEnding(pod))
}

/** The counts in the status of a controller: a pod is available as soon as it is ready. */
export function podCounts(pods: readonly Pod[]) {
  const ready = pods.filter(isReady).length
  return { replicas: pods.length, readyReplicas: ready, availableReplicas: ready }
}

/** The template revision of a pod of a StatefulSet or DaemonSet. */
export function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.['controller-revision-hash']
}

type WithTemplate = KubeObject & { spec: { template: { spec: PodSpec } } }

/** The containers of a pod template. */
export const templateColumns: readonly Column<WithTemplate>[] = [
  wideColumn('Containers', 'names of the containers', (workload) => containersOf(workload, 'name')),
  wideColumn('Images', 'images of the containers', (workload) => containersOf(workload, 'image')),
]

/** The selector of a workload. */
export const selectorColumn: Column<KubeObject & { spec: { selector: LabelSelector } }> = wideColumn(
  'Selector',
  'labels of the pods that belong to it',
  ({ spec }) => selectorText(spec.selector),
)

function containersOf({ spec }: WithTemplate, field: 'name' | 'image'): string {
  return spec.template.spec.containers.map((container) => container[field]).join(',')
}
