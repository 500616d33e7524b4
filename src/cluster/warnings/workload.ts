import { templateGenerationKey, type Workload } from '../defaults/workload.js'
import { sameJson } from '../hash.js'
import { isRecord, records } from '../manifests/loose.js'
import type { CronJob, Job, KubeObject, PodTemplate, ReplicationController } from '../types.js'
import type { Path } from '../validation/fieldErrors.js'
import { fractionWarnings } from './fractions.js'
import { podWarnings } from './pod.js'
import { nameWarnings, warning, type Warning } from './warning.js'

const inNames = 'Pod names and hostnames'

/** Warnings about the template of pods: of an update, only if more than metadata and status has changed. */
function templateWarnings(
  path: Path,
  template: PodTemplate,
  next: KubeObject,
  before: KubeObject | undefined,
): Warning[] {
  return isChanged(next, before) ? podWarnings(path, template.spec, template.metadata ?? {}) : []
}

/** The generation of an object counts its changes; for a DaemonSet, the changes of its template count. */
function isChanged(next: KubeObject, before: KubeObject | undefined): boolean {
  if (before === undefined) return true
  const number = ({ kind, metadata }: KubeObject) =>
    kind === 'DaemonSet' ? metadata.annotations?.[templateGenerationKey] : metadata.generation
  if (number(next) !== undefined) return number(next) !== number(before)
  const spec = (object: KubeObject) => (object as { spec?: unknown }).spec
  return !sameJson(spec(next), spec(before))
}

/** Warnings about a Deployment and its relatives. */
export function workloadWarnings(workload: Workload, before?: Workload): Warning[] {
  const { kind, metadata, spec } = workload
  const hasPodName = kind === 'Deployment' || kind === 'ReplicaSet'
  const template = templateWarnings(['spec', 'template'], spec.template, workload, before)
  return [
    ...(hasPodName && before === undefined ? nameWarnings(metadata.name, inNames) : []),
    ...template,
    ...(kind === 'StatefulSet' ? statefulSetWarnings(spec, before !== undefined) : []),
  ]
}

function statefulSetWarnings(spec: Workload['spec'], isUpdate: boolean): Warning[] {
  const { revisionHistoryLimit: limit } = spec as { revisionHistoryLimit?: number }
  return [
    ...records(spec['volumeClaimTemplates']).flatMap((claim, index) => {
      const path = ['spec', 'volumeClaimTemplates', index, isUpdate ? 'Spec' : 'spec']
      return claimWarnings(path, claim['spec'])
    }),
    ...((limit ?? 0) < 0
      ? [
          warning(
            ['spec', 'revisionHistoryLimit'],
            'a negative value retains all historical revisions; a value >= 0 is recommended',
          ),
        ]
      : []),
  ]
}

/** Warnings about a claim of storage (GetWarningsForPersistentVolumeClaimSpec). */
function claimWarnings(path: Path, spec: unknown): Warning[] {
  if (!isRecord(spec)) return []
  return ['requests', 'limits'].flatMap((side) =>
    fractionWarnings([...path, 'resources'], spec['resources'], side, ['storage']),
  )
}

/** Warnings about a ReplicationController. */
export function controllerWarnings(object: ReplicationController, before?: ReplicationController): Warning[] {
  const { template } = object.spec
  return [
    ...(before === undefined ? nameWarnings(object.metadata.name, inNames) : []),
    ...(template === undefined ? [] : templateWarnings(['spec', 'template'], template, object, before)),
  ]
}

/** Warnings about a Job. */
export function jobWarnings(job: Job, before?: Job): Warning[] {
  return [
    ...(before === undefined ? nameWarnings(job.metadata.name, inNames) : []),
    ...(isChanged(job, before) ? jobSpecWarnings(['spec'], job.spec) : []),
  ]
}

/** Warnings about a CronJob. */
export function cronJobWarnings(cronJob: CronJob, before?: CronJob): Warning[] {
  const { jobTemplate, schedule } = cronJob.spec
  return [
    ...(before === undefined ? nameWarnings(cronJob.metadata.name, inNames) : []),
    ...(isChanged(cronJob, before) ? jobSpecWarnings(['spec', 'jobTemplate', 'spec'], jobTemplate.spec) : []),
    ...(before !== undefined && schedule.includes('TZ')
      ? [
          {
            path: ['spec', 'schedule'],
            message:
              'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
          },
        ]
      : []),
  ]
}

/** More than these cannot be tracked. */
const manyCompletions = 100_000
const manyAtOnce = 10_000

function jobSpecWarnings(path: Path, spec: Job['spec']): Warning[] {
  const {
    completionMode,
    completions = 0,
    parallelism = 0,
    template,
  } = spec as Job['spec'] & {
    readonly completionMode?: string
    readonly completions?: number
  }
  const isLarge = completionMode === 'Indexed' && completions > manyCompletions && parallelism > manyAtOnce
  return [
    ...(isLarge
      ? [
          warning(
            path,
            'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
          ),
        ]
      : []),
    ...podWarnings([...path, 'template'], template.spec, template.metadata ?? {}),
  ]
}
