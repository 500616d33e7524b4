import { generatedName } from '../../hash.js'
import { isEnded, isEnding } from '../../pods/endPods.js'
import { isTerminal } from '../../pods/podFacts.js'
import type { Job, Pod } from '../../types.js'
import { indexText, parseIndexes } from './jobIndexes.js'
import { failureAction } from './podFailurePolicy.js'
import { podOf } from '../podTemplate.js'

/** The annotation and label with the index of a pod of an indexed Job. */
const indexKey = 'batch.kubernetes.io/job-completion-index'

/** How often pods of the same index have failed before; only with a limit per index. */
const failuresKey = 'batch.kubernetes.io/job-index-failure-count'

/** The finalizer that keeps a pod until its Job has counted it (batch.JobTrackingFinalizer). */
const trackingFinalizer = 'batch.kubernetes.io/job-tracking'

/** Whether the index of each pod counts. */
export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed'
}

/** Whether a pod of a Job runs or will run. */
export function isActive(pod: Pod): boolean {
  return !isEnding(pod) && !isTerminal(pod)
}

/** Whether a pod counts as failed; one that terminates counts at once, unless the Job waits for its end (isPodFailed). */
function isFailed(pod: Pod, { spec }: Job): boolean {
  if (pod.status?.phase === 'Failed' || isEnded(pod)) return true
  return spec['podReplacementPolicy'] !== 'Failed' && isEnding(pod) && pod.status?.phase !== 'Succeeded'
}

/** Whether the Job has not counted a pod yet. */
function isTracked({ metadata }: Pod): boolean {
  return (metadata.finalizers ?? []).includes(trackingFinalizer)
}

/** The pod without the finalizer of its Job. */
export function untracked(pod: Pod): Pod {
  if (!isTracked(pod)) return pod
  const { finalizers = [], ...metadata } = pod.metadata
  const others = finalizers.filter((name) => name !== trackingFinalizer)
  return { ...pod, metadata: others.length === 0 ? metadata : { ...metadata, finalizers: others } }
}

/** The Job with the counts of its finished pods, and the pods that it has counted now (trackJobStatusAndRemoveFinalizers). */
export function countPods(job: Job, pods: readonly Pod[]): { job: Job; counted: readonly Pod[] } {
  const tracked = pods.filter(isTracked)
  const failed = tracked.filter((pod) => isFailed(pod, job))
  const succeeded = tracked.filter((pod) => pod.status?.phase === 'Succeeded' && !failed.includes(pod))
  const counted = [...failed, ...succeeded]
  if (counted.length === 0) return { job, counted }
  const failures = failed.filter((pod) => failureAction(job, pod)?.action !== 'Ignore').length
  const { status = {} } = job
  if (!isIndexed(job))
    return { job: withCounts(job, (status.succeeded ?? 0) + succeeded.length, failures), counted }
  const { completions = 0 } = job.spec
  const done = parseIndexes(status.completedIndexes, completions)
  for (const pod of succeeded) if (indexOf(pod) < completions) done.add(indexOf(pod))
  const lost = failedIndexes(job, pods)
  for (const index of done) lost.delete(index)
  const next = withCounts(job, done.size, failures)
  const texts = {
    ...(done.size === 0 ? {} : { completedIndexes: indexText(done) }),
    ...(job.spec['backoffLimitPerIndex'] === undefined ? {} : { failedIndexes: indexText(lost) }),
  }
  return { job: { ...next, status: { ...next.status, ...texts } }, counted }
}

function withCounts(job: Job, succeeded: number, failures: number): Job {
  const failed = (job.status?.failed ?? 0) + failures
  return {
    ...job,
    status: {
      ...job.status,
      ...(succeeded === 0 ? {} : { succeeded }),
      ...(failed === 0 ? {} : { failed }),
    },
  }
}

/** The indexes that get no more pods, because too many failed or a rule says so. */
function failedIndexes(job: Job, pods: readonly Pod[]): Set<number> {
  const limit = job.spec['backoffLimitPerIndex']
  if (typeof limit !== 'number') return new Set()
  const lost = parseIndexes(job.status?.failedIndexes, job.spec.completions ?? 0)
  for (const pod of pods.filter((one) => isFailed(one, job))) {
    const action = failureAction(job, pod)?.action
    const failures = Number(pod.metadata.annotations?.[failuresKey] ?? 0) + 1
    if (action === 'FailIndex' || (action !== 'Ignore' && failures > limit)) lost.add(indexOf(pod))
  }
  return lost
}

/** A new pod of a Job, with the lowest index that has none; undefined if an indexed Job has no free index. */
export function makeJobPod(job: Job, pods: readonly Pod[], used: Set<string>): Pod | undefined {
  const { namespace = 'default', name } = job.metadata
  const index = isIndexed(job) ? freeIndex(job, pods) : undefined
  if (isIndexed(job) && index === undefined) return undefined
  const base = index === undefined ? name : `${name}-${index}`
  for (let attempt = 0; ; attempt++) {
    const podName = generatedName(base, `Job/${namespace}/${base}/${attempt}`)
    const key = `Pod/${namespace}/${podName}`
    if (used.has(key)) continue
    used.add(key)
    const made = podOf(job, job.spec.template, podName)
    const pod = { ...made, metadata: { ...made.metadata, finalizers: [trackingFinalizer] } }
    return index === undefined ? pod : indexed(job, pod, index, pods)
  }
}

function freeIndex(job: Job, pods: readonly Pod[]): number | undefined {
  const { completions = 0 } = job.spec
  const waits = job.spec['podReplacementPolicy'] === 'Failed'
  const taken = new Set([
    ...parseIndexes(job.status?.completedIndexes, completions),
    ...parseIndexes(job.status?.failedIndexes, completions),
    ...pods.filter((pod) => isActive(pod) || (waits && isEnding(pod) && !isTerminal(pod))).map(indexOf),
  ])
  for (let index = 0; index < completions; index++) if (!taken.has(index)) return index
  return undefined
}

/** The index of a pod; -1 if it has none. */
export function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[indexKey] ?? -1)
}

function indexed(job: Job, pod: Pod, index: number, pods: readonly Pod[]): Pod {
  const { labels, annotations } = pod.metadata
  const hostname = `${job.metadata.name}-${index}`
  const key = { [indexKey]: String(index) }
  const failures = pods
    .filter((one) => indexOf(one) === index && isFailed(one, job))
    .filter((one) => failureAction(job, one)?.action !== 'Ignore').length
  const count = job.spec['backoffLimitPerIndex'] === undefined ? {} : { [failuresKey]: String(failures) }
  const fieldPath = `metadata.labels['${indexKey}']`
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } }
  const withIndex = <Item extends { name: string; env?: readonly { name: string }[] }>(one: Item): Item =>
    one.env?.some(({ name }) => name === variable.name) === true
      ? one
      : { ...one, env: [...(one.env ?? []), variable] }
  const { containers, initContainers } = pod.spec
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${hostname}-`,
      labels: { ...labels, ...key },
      annotations: { ...annotations, ...key, ...count },
    },
    spec: {
      hostname,
      ...pod.spec,
      containers: containers.map(withIndex),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withIndex) }),
    },
  }
}
