import { anyObject, bool, int32, int64, pointer, string, stringMap, stringType, struct } from './field.js'
import { labelSelector, objectMeta, objectSchema } from './metadata.js'
import { podTemplate } from './pod.js'

const jobSpec = struct(
  'JobSpec',
  {
    parallelism: pointer(int32),
    completions: pointer(int32),
    activeDeadlineSeconds: pointer(int64),
    podFailurePolicy: anyObject('PodFailurePolicy'),
    successPolicy: anyObject('SuccessPolicy'),
    backoffLimit: pointer(int32),
    backoffLimitPerIndex: pointer(int32),
    maxFailedIndexes: pointer(int32),
    selector: labelSelector,
    manualSelector: pointer(bool),
    template: podTemplate,
    ttlSecondsAfterFinished: pointer(int32),
    completionMode: pointer(stringType('CompletionMode')),
    suspend: pointer(bool),
    podReplacementPolicy: pointer(stringType('PodReplacementPolicy')),
    managedBy: pointer(string),
  },
  ['template'],
)

const cronJobSpec = struct(
  'CronJobSpec',
  {
    schedule: string,
    timeZone: pointer(string),
    startingDeadlineSeconds: pointer(int64),
    concurrencyPolicy: stringType('ConcurrencyPolicy'),
    suspend: pointer(bool),
    jobTemplate: struct('JobTemplateSpec', { metadata: objectMeta, spec: jobSpec }, ['spec']),
    successfulJobsHistoryLimit: pointer(int32),
    failedJobsHistoryLimit: pointer(int32),
  },
  ['schedule', 'jobTemplate'],
)

const replicationControllerSpec = struct('ReplicationControllerSpec', {
  replicas: pointer(int32),
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
