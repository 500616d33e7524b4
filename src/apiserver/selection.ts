import type { KubeObject } from '../cluster/types.js'
import { parseFieldSelector } from './fieldSelector.js'
import { parseLabelSelector } from './labelSelector.js'
import type { ListOptions } from './listOptions.js'
import type { Resource } from './resources.js'

/** Whether a request selects an object. */
export type Selects = (object: KubeObject) => boolean

/** The objects of a resource that a list or watch selects: by namespace (if there is one) and by selectors. */
export function selection(
  resource: Resource,
  namespace: string | undefined,
  options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
): Selects {
  const labels = parseLabelSelector(options.labelSelector)
  const fields = parseFieldSelector(options.fieldSelector, resource)
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    labels(object.metadata.labels ?? {}) &&
    fields(object)
}
