import { objectKey } from '../manifests/locatedObject.js'
import { controlledBy } from '../owners.js'
import { admittedPod } from '../defaults/pod.js'
import type { Cluster, KubeObject, Pod, PodTemplate } from '../types.js'

/** A pod of a template, with its owner. */
export function podOf(
  owner: KubeObject,
  template: PodTemplate,
  name: string,
  more: Partial<Pod['metadata']> = {},
): Pod {
  const { namespace } = owner.metadata
  const { labels, annotations } = template.metadata ?? {}
  const allLabels = { ...labels, ...more.labels }
  return admittedPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${owner.metadata.name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(allLabels).length === 0 ? {} : { labels: allLabels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: controlledBy(owner),
    },
    spec: template.spec,
  })
}

/** Keys of all pods, in a live cluster also of deleted ones: generated names are not reused. */
export function usedPodKeys({ pods, past = [] }: Cluster): Set<string> {
  return new Set([...pods.map(objectKey), ...past.map(({ namespace, name }) => `Pod/${namespace}/${name}`)])
}
