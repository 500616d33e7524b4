import { anyObject, bool, int32, int64, string, stringMap, stringType, struct } from './field.js'
import { labelSelector, objectMeta, objectSchema } from './metadata.js'
import { podTemplate } from './pod.js'

const jobSpec = struct(
  'JobSpec',
  {
    parallelism: int32,
    completions: int32,
    activeDeadlineSeconds: int64,
    podFailurePolicy: anyObject('PodFailurePolicy'),
    successPolicy: anyObject('SuccessPolicy'),
    backoffLimit: int32,
    backoffLimitPerIndex: int32,
    maxFailedIndexes: int32,
    selector: labelSelector,
    manualSelector: bool,
    template: podTemplate,
    ttlSecondsAfterFinished: int32,
    completionMode: stringType('CompletionMode'),
    suspend: bool,
    podReplacementPolicy: stringType('PodReplacementPolicy'),
    managedBy: string,
  },
  ['template'],
)

const cronJobSpec = struct(
  'CronJobSpec',
  {
    schedule: string,
    timeZone: string,
    startingDeadlineSeconds: int64,
    concurrencyPolicy: stringType('ConcurrencyPolicy'),
    suspend: bool,
    jobTemplate: struct('JobTemplateSpec', { metadata: objectMeta, spec: jobSpec }, ['spec']),
    successfulJobsHistoryLimit: int32,
    failedJobsHistoryLimit: int32,
  },
  ['schedule', 'jobTemplate'],
)

const replicationControllerSpec = struct('ReplicationControllerSpec', {
  replicas: int32,
  minReadySeconds: int32,
  selector: stringMap,
  template: podTemplate,
})

/** Job of batch/v1. */
export const jobSchema = objectSchema('Job', { spec: jobSpec, status: anyObject('JobStatus') }, ['spec'])

/** CronJob of batch/v1. */
export const cronJobSchema = objectSchema(
  'CronJob',
  { spec: cronJobSpec, status: anyObject('CronJobStatus') },
  ['spec'],
)

/** ReplicationController of core/v1. */
export const replicationControllerSchema = objectSchema(
  'ReplicationController',
  { spec: replicationControllerSpec, status: anyObject('ReplicationControllerStatus') },
  ['spec'],
)
