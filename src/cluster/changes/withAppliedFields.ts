import type { LocatedObject } from '../manifests/locatedObject.js'
import type { Applied, KubeObject, ObjectMeta } from '../types.js'

/** The template annotation that `kubectl rollout restart` sets. */
export const restartedAtKey = 'kubectl.kubernetes.io/restartedAt'

type Values = Readonly<Record<string, string>>

/** The manifest merged with fields of the existing object that other writers have set. */
export function withAppliedFields(
  existing: KubeObject,
  located: LocatedObject,
  applied: Applied | undefined,
): LocatedObject {
  const { object } = located
  const { labels: _labels, annotations: _annotations, ...kept } = existing.metadata
  const metadata: ObjectMeta = {
    ...kept,
    ...valuesOf('labels', existing.metadata, object.metadata, applied),
    ...valuesOf('annotations', existing.metadata, object.metadata, applied),
  }
  return { ...located, object: withLiveFields({ ...object, metadata }, existing, located, applied) }
}

/**
 * The labels or annotations of others, then those of the manifest; those that the manifest no longer has are removed.
 */
function valuesOf(
  field: 'labels' | 'annotations',
  existing: ObjectMeta,
  written: ObjectMeta,
  applied: Applied | undefined,
): Partial<ObjectMeta> {
  const others = Object.entries(existing[field] ?? {}).filter(
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
  existing: Workload,
  located: LocatedObject,
  applied: Applied | undefined,
): KubeObject {
  const { spec } = written
  const replicas = existing.spec?.replicas
  if (spec?.template === undefined) return written
  const stated = located.says?.(['spec', 'replicas']) ?? true
  const keepReplicas = !stated && applied?.replicas !== true && replicas !== undefined
  const restartedAt = existing.spec?.template?.metadata?.annotations?.[restartedAtKey]
  const { metadata } = spec.template
  const template =
    restartedAt === undefined
      ? spec.template
      : {
          ...spec.template,
          metadata: { ...metadata, annotations: { [restartedAtKey]: restartedAt, ...metadata?.annotations } },
        }
  return Object.assign({ ...written }, { spec: { ...spec, template, ...(keepReplicas ? { replicas } : {}) } })
}
