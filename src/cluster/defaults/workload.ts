import { isRecord } from '../manifests/loose.js'
import type { DaemonSet, Deployment, ObjectMeta, PodTemplate, ReplicaSet, StatefulSet } from '../types.js'
import { filled, type Fields } from './filled.js'
import { defaultPodSpec, withFirstGeneration } from './pod.js'

/** The kinds that create pods from a template. */
export type Workload = Deployment | ReplicaSet | StatefulSet | DaemonSet

interface WorkloadDefaults {
  readonly spec: Fields
  /** The field with the update strategy, and the defaults of its rollingUpdate. */
  readonly strategy?: {
    readonly field: string
    readonly rollingUpdate: Fields
    /** Fields that the API server drops, because their feature gates are off by default. */
    readonly dropped?: readonly string[]
  }
}

const retentionDefaults = { whenDeleted: 'Retain', whenScaled: 'Retain' }

/** SetDefaults_Deployment and its counterparts. */
const defaults: Readonly<Record<Workload['kind'], WorkloadDefaults>> = {
  Deployment: {
    spec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    strategy: { field: 'strategy', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  },
  ReplicaSet: { spec: { replicas: 1 } },
  StatefulSet: {
    spec: {
      replicas: 1,
      revisionHistoryLimit: 10,
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: retentionDefaults,
    },
    strategy: { field: 'updateStrategy', rollingUpdate: { partition: 0 }, dropped: ['maxUnavailable'] },
  },
  // a DaemonSet has as many pods as there are eligible nodes
  DaemonSet: {
    spec: { revisionHistoryLimit: 10 },
    strategy: { field: 'updateStrategy', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  },
}

/** The annotation of a DaemonSet that counts its templates. */
export const templateGenerationKey = 'deprecated.daemonset.template.generation'

/** Sets the defaults of a workload. */
export function defaultWorkload<Kind extends Workload>(workload: Kind): Kind {
  // Only the controller writes a status.
  const { status: _written, ...rest } = workload as Kind & { status?: unknown }
  const { template } = workload.spec
  const { spec, strategy } = defaults[workload.kind]
  return withFirstGeneration({
    ...(rest as Kind),
    ...(workload.kind === 'DaemonSet' ? { metadata: withTemplateGeneration(workload.metadata, '1') } : {}),
    spec: {
      ...filled(workload.spec, spec),
      ...withRetention(workload.spec),
      ...(strategy === undefined ? {} : { [strategy.field]: withStrategy(workload.spec, strategy) }),
      template: { ...unnamed(template), spec: defaultPodSpec(template.spec) },
    },
  })
}

/** What happens to the claims of a StatefulSet: each of the two cases has its default. */
function withRetention({ persistentVolumeClaimRetentionPolicy: written }: Fields): Fields {
  return isRecord(written) ? { persistentVolumeClaimRetentionPolicy: filled(written, retentionDefaults) } : {}
}

/** The metadata of a DaemonSet with the number of its template. */
export function withTemplateGeneration(metadata: ObjectMeta, generation: string): ObjectMeta {
  return { ...metadata, annotations: { ...metadata.annotations, [templateGenerationKey]: generation } }
}

/** Decoding gives the metadata of a template an empty name, like in Go; JSON does not show it. */
function unnamed({ metadata, ...template }: PodTemplate): PodTemplate {
  if (metadata === undefined) return template
  const { name, ...others } = metadata
  return { ...template, metadata: name === '' ? others : metadata }
}

function withStrategy(
  spec: Fields,
  { field, rollingUpdate, dropped = [] }: NonNullable<WorkloadDefaults['strategy']>,
): Fields {
  const { type = 'RollingUpdate', ...rest } = (spec[field] ?? {}) as { type?: string; rollingUpdate?: Fields }
  const kept =
    rest.rollingUpdate &&
    Object.fromEntries(Object.entries(rest.rollingUpdate).filter(([key]) => !dropped.includes(key)))
  const rolling = type === 'RollingUpdate' ? filled(kept ?? {}, rollingUpdate) : kept
  return { ...rest, type, ...(rolling === undefined ? {} : { rollingUpdate: rolling }) }
}
