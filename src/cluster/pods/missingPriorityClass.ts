import { systemPriorities } from '../defaults/pod.js'
import { text } from '../manifests/loose.js'
import type { Cluster, PodSpec } from '../types.js'

/** Why the admission plugin Priority forbids a pod: its class does not exist. Undefined when it does. */
export function missingPriorityClass(
  { priorityClassName }: PodSpec,
  { priorityClasses = [] }: Pick<Cluster, 'priorityClasses'>,
): string | undefined {
  const name = text(priorityClassName)
  const known = ['', ...Object.keys(systemPriorities), ...priorityClasses.map((one) => one.metadata.name)]
  return known.includes(name) ? undefined : `no PriorityClass with name ${name} was found`
}
