import { jobWarnings } from '../warnings/workload.js'
import { ageColumn, column, duration, nameColumn, since } from '../columns/column.js'
import { finishedJob } from '../controllers/jobs/jobs.js'
import { defaultJob, withTemplateLabels } from '../defaults/batch.js'
import { isEnding } from '../pods/endPods.js'
import { isReady, isTerminal } from '../pods/podFacts.js'
import { jobSchema } from '../schema/batch.js'
import type { Job } from '../types.js'
import { validateJob, validateJobUpdate } from '../validation/batch.js'
import { defineKind } from './kind.js'
import { blankTemplate, ownedPods, selectorColumn, templateColumns, withoutZeros } from './workload.js'

type PrintedJob = Job & { spec: { selector: object }; status?: { succeeded?: number } }

/** Job of batch/v1; columns as printJob of Kubernetes v1.36 writes them. */
export const job = defineKind<Job, PrintedJob>({
  group: 'batch',
  plural: 'jobs',
  categories: ['all'],
  list: 'jobs',
  schema: jobSchema,
  setDefaults: defaultJob,
  validate: validateJob,
  warnings: jobWarnings,
  canonicalize: withTemplateLabels,
  validateUpdate: validateJobUpdate,
  fields: { 'status.successful': '0' },
  statusOf(object, cluster) {
    const pods = ownedPods(object, cluster)
    const active = pods.filter((pod) => !isTerminal(pod) && !isEnding(pod))
    return {
      ...object.status,
      ...withoutZeros({ active: active.length }),
      terminating: pods.filter((pod) => isEnding(pod) && !isTerminal(pod)).length,
      uncountedTerminatedPods: {},
      ready: active.filter(isReady).length,
    }
  },
  blank: { spec: { template: blankTemplate }, status: {} },
  columns: [
    nameColumn,
    column('Status', 'whether it runs, has completed or has failed', statusText),
    column('Completions', 'succeeded pods and desired ones', completionsText),
    column('Duration', 'time that it has run', durationText),
    ageColumn,
    ...templateColumns,
    selectorColumn,
  ],
})

function statusText(object: PrintedJob): string {
  const finished = finishedJob(object)?.type
  if (finished !== undefined) return finished
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return object.spec.suspend === true ? 'Suspended' : 'Running'
}

function completionsText({ spec: { completions, parallelism = 1 }, status }: PrintedJob): string {
  const succeeded = status?.succeeded ?? 0
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationText({ status: { startTime, completionTime } = {} }: PrintedJob, now: Date): string {
  if (startTime === undefined) return ''
  if (completionTime === undefined) return since(startTime, now)
  return duration((Date.parse(completionTime) - Date.parse(startTime)) / 1000)
}
