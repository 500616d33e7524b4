import { nextTime } from '../../cronSchedule.js'
import { defaultJob } from '../../defaults/batch.js'
import { isEnding } from '../../pods/endPods.js'
import { objectKey } from '../../manifests/locatedObject.js'
import { byController, controlledBy } from '../../owners.js'
import type { Cluster, CronJob, Job } from '../../types.js'
import { finishedJob } from './jobs.js'

/** CronJob controller: creates a Job at each time of the schedule, and deletes the oldest finished ones. */
export function reconcileCronJobs(cluster: Cluster): Cluster {
  const { cronJobs = [], jobs = [], now } = cluster
  if (now === undefined) return cluster
  const owned = byController(jobs)
  const gone = new Set<Job>()
  const added: Job[] = []
  const next = cronJobs.map((cronJob) => {
    if (isEnding(cronJob)) return cronJob
    const own = owned.get(objectKey(cronJob)) ?? []
    for (const job of outdated(cronJob, own)) gone.add(job)
    const { seen, lastScheduleTime } = cronJob.status ?? {}
    if (seen === undefined) return { ...cronJob, status: { ...cronJob.status, seen: now } }
    const due = dueTime(cronJob, Date.parse(now))
    if (due === undefined) return cronJob
    const active = own.filter((job) => finishedJob(job) === undefined)
    const { concurrencyPolicy = 'Allow' } = cronJob.spec
    if (concurrencyPolicy === 'Forbid' && active.length > 0) return cronJob
    if (concurrencyPolicy === 'Replace') for (const job of active) gone.add(job)
    const job = makeJob(cronJob, due)
    if (!own.some(({ metadata }) => metadata.name === job.metadata.name)) added.push(job)
    const at = new Date(due).toISOString().replace(/\.\d+Z$/, 'Z')
    return at === lastScheduleTime
      ? cronJob
      : { ...cronJob, status: { ...cronJob.status, lastScheduleTime: at } }
  })
  const changed = next.some((cronJob, index) => cronJob !== cronJobs[index])
  if (!changed && added.length === 0 && gone.size === 0) return cluster
  const kept = jobs.filter((job) => !gone.has(job))
  return {
    ...cluster,
    ...(changed ? { cronJobs: next } : {}),
    ...(added.length + gone.size === 0 ? {} : { jobs: [...kept, ...added] }),
  }
}

/** The milliseconds until the next Job of a CronJob; undefined if none is due. */
export function nextCronDue({ cronJobs = [], now }: Cluster): number | undefined {
  if (now === undefined) return undefined
  const waits = cronJobs.flatMap((cronJob) => {
    const { schedule, timeZone, suspend } = cronJob.spec
    const after = [sinceOf(cronJob), Date.parse(now)]
    const times = suspend === true ? [] : after.map((from) => nextTime(schedule, from, timeZone) ?? 0)
    return times.map((time) => time - Date.parse(now)).filter((wait) => wait > 0)
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** The time after which the schedule counts. */
function sinceOf({ status }: CronJob): number {
  return Date.parse(status?.lastScheduleTime ?? status?.seen ?? '')
}

/** The latest time of the schedule that has no Job yet; undefined if there is none. */
function dueTime(cronJob: CronJob, now: number): number | undefined {
  const { schedule, timeZone, suspend, startingDeadlineSeconds = Infinity } = cronJob.spec
  if (suspend === true) return undefined
  let due: number | undefined
  let after = sinceOf(cronJob)
  // as the controller: of many missed times only the latest counts
  for (let count = 0; count < 100; count++) {
    const time = nextTime(schedule, after, timeZone)
    if (time === undefined || time > now) break
    due = time
    after = time
  }
  return due !== undefined && now - due <= startingDeadlineSeconds * 1000 ? due : undefined
}

function outdated({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec
  const finished = (type: string) =>
    jobs
      .filter((job) => finishedJob(job)?.type === type)
      .sort((a, b) => ((a.status?.startTime ?? '') < (b.status?.startTime ?? '') ? -1 : 1))
  const oldest = (type: string, limit: number) => {
    const own = finished(type)
    return own.slice(0, Math.max(0, own.length - limit))
  }
  return [...oldest('Complete', successfulJobsHistoryLimit), ...oldest('Failed', failedJobsHistoryLimit)]
}

function makeJob(cronJob: CronJob, due: number): Job {
  const { name, namespace } = cronJob.metadata
  const { metadata = {}, spec } = cronJob.spec.jobTemplate
  const at = {
    'batch.kubernetes.io/cronjob-scheduled-timestamp': new Date(due).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  return defaultJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${Math.floor(due / 60_000)}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata.annotations, ...at },
      ownerReferences: controlledBy(cronJob),
    },
    spec,
  })
}
