import { workloadWarnings } from '../warnings/workload.js'
import { wideColumn, type Column } from '../columns/column.js'
import { selectorText } from '../columns/selectorText.js'
import { defaultWorkload, type Workload } from '../defaults/workload.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import { isAvailable } from '../pods/availability.js'
import { isReady } from '../pods/podFacts.js'
import type { Cluster, KubeObject, LabelSelector, Pod, PodSpec } from '../types.js'
import { validateWorkload } from '../validation/workload.js'

/** Fields that the kinds with a pod template share. */
export const workloadFields = {
  group: 'apps',
  categories: ['all'],
  setDefaults: defaultWorkload,
  validate: validateWorkload,
  warnings: workloadWarnings,
}

/** An empty pod template. */
export const blankTemplate = { metadata: {}, spec: { containers: null } }

/** The pods of a controller, without terminating ones. */
export function podsOf(owner: KubeObject, cluster: Cluster): Pod[] {
  return ownedPods(owner, cluster).filter((pod) => !isEnding(pod))
}

/** The pods of a controller. */
export function ownedPods(owner: KubeObject, { pods }: Cluster): Pod[] {
  const key = objectKey(owner)
  return pods.filter((pod) => controllerKey(pod) === key)
}

/** The pods of a controller in which a status counts them. */
export function podCounts(pods: readonly Pod[], spec: Pick<Workload['spec'], 'template'>, cluster: Cluster) {
  return {
    replicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: pods.filter((pod) => isAvailable(pod, spec, cluster)).length,
  }
}

/** A status without counts that are 0: in Go those have omitempty. */
export function withoutZeros<Status extends object>(status: Status): Partial<Status> {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0)) as Partial<Status>
}

/** The last generation that a controller has seen: here always the newest. */
export function observed({ metadata }: KubeObject): { observedGeneration?: number } {
  return metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }
}

/** How many pods of a controller are terminating. */
export function terminatingReplicas(owner: KubeObject, cluster: Cluster): number {
  return ownedPods(owner, cluster).filter(isEnding).length
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
