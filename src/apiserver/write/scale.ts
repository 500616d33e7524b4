import type { KubeObject, LabelSelector } from '../../cluster/types.js'

interface Scalable extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector?: LabelSelector | Readonly<Record<string, string>>
  }
  readonly status?: { readonly replicas?: number }
}

/** The Scale of a Deployment, ReplicaSet, ReplicationController or StatefulSet (autoscaling/v1). */
export function scaleOf(object: KubeObject): unknown {
  const { kind, metadata, spec, status } = object as Scalable
  const selector = (kind === 'ReplicationController' ? { matchLabels: spec?.selector } : spec?.selector) as
    LabelSelector | undefined
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec?.replicas ?? 1 },
    status: { replicas: status?.replicas ?? 0, selector: selectorText(selector) },
  }
}

/** A selector as in `kubectl get -l`. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`)
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`
  })
  return [...labels.sort(), ...expressions].join(',')
}
