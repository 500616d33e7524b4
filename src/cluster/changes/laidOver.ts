import type { LocatedObject } from '../manifests/locatedObject.js'
import type { Applied, KubeObject, ObjectMeta } from '../types.js'

/** The template annotation that `kubectl rollout restart` sets. */
export const restartedAtKey = 'kubectl.kubernetes.io/restartedAt'

type Values = Readonly<Record<string, string>>

/** The manifest merged with fields of the existing object that other writers have set. */
export function laidOver(
  standing: KubeObject,
  located: LocatedObject,
  applied: Applied | undefined,
): LocatedObject {
  const { object } = located
  const { labels: _labels, annotations: _annotations, ...kept } = standing.metadata
  const metadata: ObjectMeta = {
    ...kept,
    ...valuesOf('labels', standing.metadata, object.metadata, applied),
    ...valuesOf('annotations', standing.metadata, object.metadata, applied),
  }
  return { ...located, object: withLiveFields({ ...object, metadata }, standing, located, applied) }
}

/**
 * The labels or annotations of others, then those of the manifest; those that the manifest no longer has are removed.
 */
function valuesOf(
  field: 'labels' | 'annotations',
  standing: ObjectMeta,
  written: ObjectMeta,
  applied: Applied | undefined,
): Partial<ObjectMeta> {
  const others = Object.entries(standing[field] ?? {}).filter(
    ([key]) => applied?.[field].includes(key) !== true,
  )
  const values: Values = { ...Object.fromEntries(others), ...written[field] }
  return Object.keys(values).length === 0 ? {} : { [field]: values }
}

interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly template?: { readonly metadata?: { readonly annotations?: Values } }
  }
}

function withLiveFields(
  written: Workload,
  standing: Workload,
  located: LocatedObject,
  applied: Applied | undefined,
): KubeObject {
  const { spec } = written
  const replicas = standing.spec?.replicas
  if (spec?.template === undefined) return written
  const stated = located.says?.(['spec', 'replicas']) ?? true
  const keepsReplicas = !stated && applied?.replicas !== true && replicas !== undefined
  const restartedAt = standing.spec?.template?.metadata?.annotations?.[restartedAtKey]
  const { metadata } = spec.template
  const template =
    restartedAt === undefined
      ? spec.template
      : {
          ...spec.template,
          metadata: { ...metadata, annotations: { [restartedAtKey]: restartedAt, ...metadata?.annotations } },
        }
  return Object.assign(
    { ...written },
    { spec: { ...spec, template, ...(keepsReplicas ? { replicas } : {}) } },
  )
}
