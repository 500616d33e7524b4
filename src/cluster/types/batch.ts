/** Source: Kubernetes API reference v1.36 (batch/v1, and ReplicationController of core/v1). */

import type { KubeObject, LabelSelector, ObjectMeta } from './object.js'
import type { PodTemplate } from './workload.js'

export interface ReplicationController extends KubeObject {
  kind: 'ReplicationController'
  spec: {
    replicas?: number
    selector?: Record<string, string>
    template: PodTemplate
    [other: string]: unknown
  }
}

export interface JobCondition {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
  lastProbeTime: string
  lastTransitionTime: string
}

export interface JobSpec {
  parallelism?: number
  completions?: number
  backoffLimit?: number
  activeDeadlineSeconds?: number
  ttlSecondsAfterFinished?: number
  completionMode?: 'NonIndexed' | 'Indexed'
  suspend?: boolean
  manualSelector?: boolean
  selector?: LabelSelector
  template: PodTemplate
  [other: string]: unknown
}

/** The status that the controller keeps; the other counts are computed when the API shows the object. */
export interface JobStatus {
  startTime?: string
  completionTime?: string
  conditions?: readonly JobCondition[]
  /** Pods that the controller has counted; they may be gone. */
  succeeded?: number
  failed?: number
  /** Indexes of an indexed Job, as `0-2,4`. */
  completedIndexes?: string
  failedIndexes?: string
}

export interface Job extends KubeObject {
  kind: 'Job'
  spec: JobSpec
  status?: JobStatus
}

export interface CronJob extends KubeObject {
  kind: 'CronJob'
  spec: {
    schedule: string
    timeZone?: string
    concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
    startingDeadlineSeconds?: number
    suspend?: boolean
    successfulJobsHistoryLimit?: number
    failedJobsHistoryLimit?: number
    jobTemplate: { metadata?: Partial<ObjectMeta>; spec: JobSpec }
    [other: string]: unknown
  }
}
