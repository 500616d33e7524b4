import { generatedName } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, controllerKey } from '../owners.js'
import { endPods, isEnding } from '../pods/endPods.js'
import { isTerminal } from '../pods/podFacts.js'
import type { Cluster, Job, JobCondition, Pod } from '../types.js'
import { podOf, usedPodKeys } from './podTemplate.js'

/** Seconds until a failed pod is replaced, doubled with each failure up to the longest (job_controller.go). */
const backOff = { first: 10, longest: 600 }

/** The annotation and label with the index of a pod of an indexed Job. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index'

/** Job controller: pods until enough of them have succeeded or too many have failed; finished pods are kept. */
export function reconcileJobs(cluster: Cluster): Cluster {
  const jobs = cluster.jobs ?? []
  const owned = byController(cluster.pods)
  const used = usedPodKeys(cluster)
  const toDelete = new Set<Pod>()
  const added: Pod[] = []
  const next = jobs.map((job) => {
    const pods = owned.get(objectKey(job)) ?? []
    const synced = synchronised(job, pods, cluster.now)
    if (isEnding(job)) return synced
    const active = pods.filter((pod) => !isEnding(pod) && !isTerminal(pod))
    const missing = podsWanted(synced, pods, cluster.now) - active.length
    for (const pod of active.slice(active.length + Math.min(0, missing))) toDelete.add(pod)
    for (let count = 0; count < missing; count++) added.push(makePod(synced, [...pods, ...added], used))
    return synced
  })
  const ended = endPods(cluster, toDelete)
  const changed = next.some((job, index) => job !== jobs[index])
  if (!changed && added.length === 0) return ended
  return { ...ended, ...(changed ? { jobs: next } : {}), pods: [...ended.pods, ...added] }
}

/** Whether a Job has completed or failed. */
export function finishedJob({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status }) => ['Complete', 'Failed'].includes(type) && status === 'True',
  )
}

/** The milliseconds until a Job needs its controller although nothing changes: a replacement, a deadline, its removal. */
export function nextJobDue({ jobs = [], pods, now }: Cluster): number | undefined {
  if (now === undefined || jobs.length === 0) return undefined
  const owned = byController(pods)
  const waits = jobs.flatMap((job) => {
    const times = [...deadlines(job), replacementTime(job, owned.get(objectKey(job)) ?? [])]
    return times.map((time) => time - Date.parse(now)).filter((wait) => wait > 0)
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** The cluster without finished Jobs whose ttlSecondsAfterFinished is over (ttlafterfinished controller). */
export function removeExpiredJobs(cluster: Cluster): Cluster {
  const { jobs = [], now } = cluster
  if (now === undefined) return cluster
  const kept = jobs.filter((job) => !(expiry(job) <= Date.parse(now)))
  return kept.length === jobs.length ? cluster : { ...cluster, jobs: kept }
}

function deadlines(job: Job): number[] {
  if (finishedJob(job) !== undefined) return [expiry(job)].filter((time) => time < Infinity)
  const { activeDeadlineSeconds } = job.spec
  const start = job.status?.startTime
  return activeDeadlineSeconds === undefined || start === undefined
    ? []
    : [Date.parse(start) + activeDeadlineSeconds * 1000]
}

function expiry(job: Job): number {
  const finished = finishedJob(job)
  const ttl = job.spec.ttlSecondsAfterFinished
  return finished === undefined || ttl === undefined
    ? Infinity
    : Date.parse(finished.lastTransitionTime) + ttl * 1000
}

function synchronised(job: Job, pods: readonly Pod[], now: string | undefined): Job {
  if (now === undefined || finishedJob(job) !== undefined) return job
  const at = now.replace(/\.\d+Z$/, 'Z')
  const { suspend = false } = job.spec
  const startTime = job.status?.startTime ?? (suspend ? undefined : at)
  const outcome = outcomeOf(job, pods, startTime, now)
  if (outcome === undefined && startTime === job.status?.startTime) return job
  const [types, reason, message] = outcome ?? [[], '', '']
  const conditions = types.map((type): JobCondition => ({
    ...{ type, status: 'True', lastProbeTime: at, lastTransitionTime: at, reason, message },
  }))
  return {
    ...job,
    status: {
      ...job.status,
      ...(startTime === undefined ? {} : { startTime }),
      ...(types.includes('Complete') ? { completionTime: at } : {}),
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  }
}

type Outcome = readonly [types: readonly string[], reason: string, message: string]

/** The conditions of a Job that ends now; undefined for one that continues. */
function outcomeOf(
  { spec }: Job,
  pods: readonly Pod[],
  startTime: string | undefined,
  now: string,
): Outcome | undefined {
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = spec
  const failed = pods.filter(isFailed).length
  const restarts = pods
    .flatMap(({ status }) => status?.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0)
  const tooManyRestarts =
    spec.template.spec['restartPolicy'] === 'OnFailure' && restarts > 0 && restarts >= backoffLimit
  if (failed > backoffLimit || tooManyRestarts)
    return [failure, 'BackoffLimitExceeded', 'Job has reached the specified backoff limit']
  if (
    activeDeadlineSeconds !== undefined &&
    startTime !== undefined &&
    Date.parse(now) >= Date.parse(startTime) + activeDeadlineSeconds * 1000
  )
    return [failure, 'DeadlineExceeded', 'Job was active longer than specified deadline']
  const succeeded = succeededPods(pods).length
  const active = pods.some((pod) => !isTerminal(pod) && !isEnding(pod))
  const isComplete = completions === undefined ? succeeded > 0 && !active : succeeded >= completions
  return isComplete ? [success, 'CompletionsReached', 'Reached expected number of succeeded pods'] : undefined
}

const failure = ['FailureTarget', 'Failed']
const success = ['SuccessCriteriaMet', 'Complete']

/** How many pods of a Job should be active now. */
function podsWanted(job: Job, pods: readonly Pod[], now: string | undefined): number {
  const { completions, parallelism = 1, suspend = false } = job.spec
  if (finishedJob(job) !== undefined || suspend) return 0
  const succeeded = succeededPods(pods).length
  const active = pods.filter((pod) => !isEnding(pod) && !isTerminal(pod)).length
  const wanted =
    completions === undefined
      ? succeeded > 0
        ? active
        : parallelism
      : Math.min(parallelism, completions - succeeded)
  const waits = now !== undefined && replacementTime(job, pods) > Date.parse(now)
  return waits ? Math.min(wanted, active) : wanted
}

/** When a failed pod may be replaced; 0 for a Job without one. */
function replacementTime(job: Job, pods: readonly Pod[]): number {
  const failed = pods.filter(isFailed)
  if (failed.length === 0 || finishedJob(job) !== undefined) return 0
  const ends = failed.flatMap(({ status }) =>
    (status?.containerStatuses ?? []).map(
      ({ state }) => Date.parse(state?.terminated?.finishedAt ?? '') || 0,
    ),
  )
  const seconds = Math.min(backOff.first * 2 ** (failed.length - 1), backOff.longest)
  return Math.max(0, ...ends) + seconds * 1000
}

function isFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed'
}

function succeededPods(pods: readonly Pod[]): Pod[] {
  return pods.filter(({ status }) => status?.phase === 'Succeeded')
}

function makePod(job: Job, pods: readonly Pod[], used: Set<string>): Pod {
  const { namespace = 'default', name } = job.metadata
  const index = job.spec.completionMode === 'Indexed' ? freeIndex(job, pods) : undefined
  const base = index === undefined ? name : `${name}-${index}`
  for (let attempt = 0; ; attempt++) {
    const podName = generatedName(base, `Job/${namespace}/${base}/${attempt}`)
    const key = `Pod/${namespace}/${podName}`
    if (used.has(key)) continue
    used.add(key)
    const pod = podOf(job, job.spec.template, podName)
    return index === undefined ? pod : indexed(pod, base, String(index))
  }
}

function freeIndex(job: Job, pods: readonly Pod[]): number {
  const taken = new Set(
    pods
      .filter((pod) => controllerKey(pod) === objectKey(job) && !isFailed(pod) && !isEnding(pod))
      .map(({ metadata }) => metadata.annotations?.[completionIndexKey]),
  )
  for (let index = 0; ; index++) if (!taken.has(String(index))) return index
}

function indexed(pod: Pod, hostname: string, index: string): Pod {
  const { labels, annotations } = pod.metadata
  const key = { [completionIndexKey]: index }
  const fieldPath = `metadata.annotations['${completionIndexKey}']`
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } }
  const containers = pod.spec.containers.map((one) => ({ ...one, env: [...(one.env ?? []), variable] }))
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...labels, ...key }, annotations: { ...annotations, ...key } },
    spec: { ...pod.spec, containers, hostname },
  }
}
