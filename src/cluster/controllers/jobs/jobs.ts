import { objectKey } from '../../manifests/locatedObject.js'
import { byController, controllerKey } from '../../owners.js'
import { endPods, isEnded, isEnding } from '../../pods/endPods.js'
import { isTerminal } from '../../pods/podFacts.js'
import type { Cluster, Job, JobCondition, Pod } from '../../types.js'
import { decided, withConditions } from './jobOutcome.js'
import { countPods, isActive, makeJobPod, untracked } from './jobPods.js'
import { usedPodKeys } from '../podTemplate.js'

/** Seconds until a failed pod is replaced, doubled with each failure up to the longest (job_controller.go). */
const backOff = { first: 10, longest: 600 }

/** Job controller: pods until enough of them have succeeded or too many have failed; finished pods are kept. */
export function reconcileJobs(cluster: Cluster): Cluster {
  const jobs = cluster.jobs ?? []
  const owned = byController(cluster.pods)
  const used = usedPodKeys(cluster)
  const toDelete = new Set<Pod>()
  const counted = orphans(cluster, jobs)
  const added: Pod[] = []
  const next = jobs.map((job) => {
    const pods = owned.get(objectKey(job)) ?? []
    if (isEnding(job)) {
      for (const pod of pods) counted.add(pod)
      return job
    }
    const count = countPods(job, pods)
    for (const pod of count.counted) counted.add(pod)
    const isOpen = cluster.now !== undefined && finishedJob(job) === undefined
    const synced = isOpen ? withConditions(count.job, pods, cluster.now) : count.job
    const active = pods.filter(isActive)
    const missing = podsWanted(synced, pods, cluster.now) - active.length
    for (const pod of active.slice(active.length + Math.min(0, missing))) {
      toDelete.add(pod)
      // a pod that the controller itself ends early is not a failure; one that the end of the Job ends is
      if (decided(synced) === undefined) counted.add(pod)
    }
    const made: Pod[] = []
    for (let number = 0; number < missing; number++) {
      const pod = makeJobPod(synced, [...pods, ...made], used)
      if (pod !== undefined) made.push(pod)
    }
    added.push(...made)
    return synced
  })
  const ended = withoutTracking(endPods(cluster, toDelete), new Set([...counted].map(objectKey)))
  const changed = next.some((job, index) => job !== jobs[index])
  if (!changed && added.length === 0) return ended
  return { ...ended, ...(changed ? { jobs: next } : {}), pods: [...ended.pods, ...added] }
}

/** Pods whose Job no longer exists, which no controller counts. */
function orphans({ pods }: Cluster, jobs: readonly Job[]): Set<Pod> {
  const known = new Set(jobs.map(objectKey))
  return new Set(pods.filter((pod) => untracked(pod) !== pod && !known.has(controllerKey(pod) ?? '')))
}

/** The snapshot after pods were counted: those that only their tracking has kept are removed. */
function withoutTracking(cluster: Cluster, counted: ReadonlySet<string>): Cluster {
  if (counted.size === 0) return cluster
  let changed = false
  const pods = cluster.pods.flatMap((pod) => {
    const next = counted.has(objectKey(pod)) ? untracked(pod) : pod
    changed ||= next !== pod
    const isGone = next !== pod && isEnded(next) && (next.metadata.finalizers ?? []).length === 0
    return isGone ? [] : [next]
  })
  return changed ? { ...cluster, pods } : cluster
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

/** How many pods of a Job should be active now. */
function podsWanted(job: Job, pods: readonly Pod[], now: string | undefined): number {
  const { completions, parallelism = 1, suspend = false } = job.spec
  if (finishedJob(job) !== undefined || decided(job) !== undefined || suspend) return 0
  const succeeded = job.status?.succeeded ?? 0
  const active = pods.filter(isActive).length
  const awaited =
    job.spec['podReplacementPolicy'] === 'Failed'
      ? pods.filter((pod) => isEnding(pod) && !isTerminal(pod)).length
      : 0
  const wanted =
    completions === undefined
      ? succeeded > 0
        ? active
        : parallelism
      : Math.min(parallelism, completions - succeeded)
  const waits = now !== undefined && replacementTime(job, pods) > Date.parse(now)
  return waits ? Math.min(wanted, active) : Math.max(Math.min(wanted, active), wanted - awaited)
}

/** When a failed pod may be replaced; 0 for a Job without one. */
function replacementTime(job: Job, pods: readonly Pod[]): number {
  const failed = pods.filter(({ status }) => status?.phase === 'Failed')
  if (failed.length === 0 || finishedJob(job) !== undefined) return 0
  const ends = failed.flatMap(({ status }) =>
    (status?.containerStatuses ?? []).map(
      ({ state }) => Date.parse(state?.terminated?.finishedAt ?? '') || 0,
    ),
  )
  const seconds = Math.min(backOff.first * 2 ** (failed.length - 1), backOff.longest)
  return Math.max(0, ...ends) + seconds * 1000
}
