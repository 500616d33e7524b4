import { records } from '../../manifests/loose.js'
import { isTerminal } from '../../pods/podFacts.js'
import type { Job, JobCondition, Pod } from '../../types.js'
import { parseIndexes } from './jobIndexes.js'
import { isActive, isIndexed } from './jobPods.js'
import { failureAction } from './podFailurePolicy.js'

/** How a Job ends: the condition that ends its pods, and the one that follows when they have ended. */
interface Outcome {
  readonly types: readonly [target: string, final: string]
  readonly reason: string
  readonly message: string
}

const failed = (reason: string, message: string): Outcome => ({
  ...{ types: ['FailureTarget', 'Failed'], reason, message },
})
const met = (reason: string, message: string): Outcome => ({
  ...{ types: ['SuccessCriteriaMet', 'Complete'], reason, message },
})

/**
 * The Job with its conditions and times at `now` (syncJob): suspended or resumed; `FailureTarget` or `SuccessCriteriaMet`
 * when its end is decided, `Failed` or `Complete` when all its pods have ended too.
 */
export function withConditions(job: Job, pods: readonly Pod[], now: string): Job {
  const at = now.replace(/\.\d+Z$/, 'Z')
  const started = withSuspension(job, at)
  const outcome = decided(started) ?? endedOutcome(started, pods, now)
  if (outcome === undefined) return started
  const { types, reason, message } = outcome
  const [target, final] = types
  const condition = (type: string): JobCondition => ({
    ...{ type, status: 'True', lastProbeTime: at, lastTransitionTime: at, reason, message },
  })
  const known = started.status?.conditions ?? []
  const added = [
    ...(known.some(({ type }) => type === target) ? [] : [condition(target)]),
    ...(pods.every(isTerminal) ? [condition(final)] : []),
  ]
  if (added.length === 0) return started
  const time =
    final === 'Complete' && added.length > 0 && pods.every(isTerminal) ? { completionTime: at } : {}
  return { ...started, status: { ...started.status, ...time, conditions: [...known, ...added] } }
}

/** Whether the end of a Job is decided, so that its pods end. */
export function decided({ status }: Job): Outcome | undefined {
  const target = status?.conditions?.find(({ type }) =>
    ['FailureTarget', 'SuccessCriteriaMet'].includes(type),
  )
  if (target === undefined) return undefined
  const { type, reason, message } = target
  return (type === 'FailureTarget' ? failed : met)(reason, message)
}

function withSuspension(job: Job, at: string): Job {
  const { suspend = false } = job.spec
  const { conditions = [], startTime } = job.status ?? {}
  const before = conditions.find(({ type }) => type === 'Suspended')
  const status = suspend ? 'True' : 'False'
  if (before?.status === status || (before === undefined && !suspend))
    return startTime !== undefined || suspend ? job : { ...job, status: { ...job.status, startTime: at } }
  const condition: JobCondition = {
    ...{ type: 'Suspended', status, lastProbeTime: at, lastTransitionTime: at },
    reason: suspend ? 'JobSuspended' : 'JobResumed',
    message: suspend ? 'Job suspended' : 'Job resumed',
  }
  const next =
    before === undefined
      ? [...conditions, condition]
      : conditions.map((one) => (one === before ? condition : one))
  return {
    ...job,
    status: { ...job.status, ...(suspend ? {} : { startTime: at }), conditions: next },
  }
}

/** Why a Job ends now; undefined for one that continues. */
function endedOutcome(job: Job, pods: readonly Pod[], now: string): Outcome | undefined {
  return (
    failureOf(job, pods, now) ?? (isIndexed(job) ? outcomeOfIndexes(job) : undefined) ?? completed(job, pods)
  )
}

function failureOf(job: Job, pods: readonly Pod[], now: string): Outcome | undefined {
  const { spec, status = {} } = job
  const { backoffLimit = 6, activeDeadlineSeconds, suspend = false } = spec
  for (const pod of pods.filter((one) => one.status?.phase === 'Failed')) {
    const found = failureAction(job, pod)
    if (found?.action === 'FailJob') return failed('PodFailurePolicy', found.message)
  }
  const restarts = pods
    .flatMap((pod) => pod.status?.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0)
  const tooManyRestarts =
    spec.template.spec['restartPolicy'] === 'OnFailure' && restarts > 0 && restarts >= backoffLimit
  if ((status.failed ?? 0) > backoffLimit || tooManyRestarts)
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  const { startTime } = status
  if (activeDeadlineSeconds === undefined || startTime === undefined || suspend) return undefined
  return Date.parse(now) >= Date.parse(startTime) + activeDeadlineSeconds * 1000
    ? failed('DeadlineExceeded', 'Job was active longer than specified deadline')
    : undefined
}

function outcomeOfIndexes({ spec, status }: Job): Outcome | undefined {
  const { completions = 0 } = spec
  const limit = spec['maxFailedIndexes']
  const lost = parseIndexes(status?.failedIndexes, completions).size
  const done = parseIndexes(status?.completedIndexes, completions)
  if (typeof limit === 'number' && lost > limit)
    return failed(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    )
  if (lost > 0 && lost + done.size >= completions) return failed('FailedIndexes', 'Job has failed indexes')
  const { rules } = (spec['successPolicy'] ?? {}) as { rules?: unknown }
  const index = records(rules).findIndex(({ succeededIndexes: text, succeededCount: count }) => {
    const wanted = typeof text === 'string' ? parseIndexes(text, completions) : undefined
    const matched = wanted === undefined ? done.size : [...wanted].filter((one) => done.has(one)).length
    return matched >= (typeof count === 'number' ? count : (wanted?.size ?? Infinity))
  })
  return index < 0 ? undefined : met('SuccessPolicy', `Matched rules at index ${index}`)
}

function completed({ spec, status }: Job, pods: readonly Pod[]): Outcome | undefined {
  const succeeded = status?.succeeded ?? 0
  const isComplete =
    spec.completions === undefined
      ? succeeded > 0 && !pods.some(isActive)
      : succeeded >= spec.completions && !pods.some(isActive)
  return isComplete ? met('CompletionsReached', 'Reached expected number of succeeded pods') : undefined
}
