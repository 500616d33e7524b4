import t from 'tap'
import { clusterNotices } from '../../../../src/cluster/manifests/notices.js'
import { reconcileLive } from '../../../../src/cluster/changes/index.js'
import { kindOf } from '../../../../src/cluster/kinds/index.js'
import { nextJobDue } from '../../../../src/cluster/controllers/jobs/jobs.js'
import { podExited, podFinished } from '../../../../src/cluster/pods/podStatus.js'
import type { Cluster, Job } from '../../../../src/cluster/types.js'
import { cluster, refusals } from '../../lab.js'

const start = '2026-03-10T10:00:00Z'

function job(fields = '', policy = 'Never'): string {
  return `apiVersion: batch/v1
kind: Job
metadata: { name: pi }
spec: { ${fields} template: { spec: { restartPolicy: ${policy}, containers: [{ name: pi, image: x, command: [sh] }] } } }
---
`
}

const at = (now: string, text: Cluster | string) =>
  reconcileLive({ ...(typeof text === 'string' ? cluster(text) : text), now })

/** Ends the running pods with an exit code. */
function end(before: Cluster, exitCode: number, now: string): Cluster {
  const ended = before.pods
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .reduce((next, { metadata }) => {
      const how = { exitCode, startedAt: start, finishedAt: now, backOffSeconds: undefined }
      return podFinished(
        podExited(next, metadata, 'pi', how),
        metadata,
        exitCode === 0 ? 'Succeeded' : 'Failed',
      )
    }, before)
  return at(now, ended)
}

const conditions = ({ jobs = [] }: Cluster) =>
  jobs[0]?.status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)
const statusOf = (now: Cluster) => kindOf('Job').statusOf?.(now.jobs?.[0] as Job, now)

t.test('a Job runs pods until enough have succeeded', (t) => {
  const first = at(start, job('completions: 3, parallelism: 2,'))
  t.equal(first.pods.length, 2)
  t.match(statusOf(first), { startTime: start, active: 2 })
  const second = end(first, 0, '2026-03-10T10:00:05Z')
  t.equal(second.pods.length, 3, 'one is missing')
  const third = end(second, 0, '2026-03-10T10:00:09Z')
  t.same(conditions(third), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'])
  t.match(statusOf(third), { succeeded: 3, completionTime: '2026-03-10T10:00:09Z', active: undefined })
  t.equal(third.pods.length, 3, 'finished pods are kept')
  t.end()
})

t.test('failed pods are replaced after 10 s, and too many of them fail the Job', (t) => {
  const failed = end(at(start, job('backoffLimit: 1,')), 4, '2026-03-10T10:00:01Z')
  t.equal(failed.pods.length, 1, 'not at once')
  t.equal(nextJobDue(failed), 10_000)
  const again = at('2026-03-10T10:00:11Z', failed)
  t.equal(again.pods.length, 2)
  t.same(conditions(end(again, 4, '2026-03-10T10:00:12Z')), [
    'FailureTarget BackoffLimitExceeded',
    'Failed BackoffLimitExceeded',
  ])
  t.end()
})

t.test('deadline, suspension, indexes, and removal after its time', (t) => {
  const late = at('2026-03-10T10:00:30Z', at(start, job('activeDeadlineSeconds: 30,')))
  t.same(conditions(late), ['FailureTarget DeadlineExceeded'])
  t.ok(late.pods.every(({ metadata }) => metadata.deletionTimestamp !== undefined))
  const over = at('2026-03-10T10:00:31Z', { ...late, pods: [] })
  t.same(
    conditions(over),
    ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded'],
    'when its pods have ended',
  )
  t.match(statusOf(over), { failed: 1 })
  const events = over.events?.events ?? []
  t.ok(events.some(({ type, reason }) => type === 'Warning' && reason === 'DeadlineExceeded'))
  t.equal(at(start, job('suspend: true,')).pods.length, 0)
  const indexed = at(start, job('completionMode: Indexed, completions: 2, parallelism: 2,'))
  t.same(indexed.pods.map(({ spec }) => spec.hostname).sort(), ['pi-0', 'pi-1'])
  const done = end(at(start, job('ttlSecondsAfterFinished: 60,')), 0, start)
  t.equal(nextJobDue(done), 60_000)
  t.same(at('2026-03-10T10:01:00Z', done).jobs, [])
  t.end()
})

t.test('pods are counted once, also when they are deleted afterwards, and tracked until then', (t) => {
  const tracking = ['batch.kubernetes.io/job-tracking']
  const first = at(start, job('completions: 3, parallelism: 1,'))
  t.same(first.pods[0]?.metadata.finalizers, tracking)
  const second = end(first, 0, start)
  t.same(
    second.pods.map(({ metadata }) => metadata.finalizers),
    [undefined, tracking],
  )
  const gone = at(start, { ...second, pods: second.pods.slice(1) })
  t.match(statusOf(gone), { succeeded: 1, active: 1 })
  const orphaned = at(start, { ...gone, jobs: [] })
  t.ok(orphaned.pods.every(({ metadata }) => metadata.finalizers === undefined))
  t.match(first.pods[0]?.metadata.labels, {
    'controller-uid': 'default.pi',
    'batch.kubernetes.io/controller-uid': 'default.pi',
    'batch.kubernetes.io/job-name': 'pi',
    'job-name': 'pi',
  })
  t.end()
})

/** The same Job with other fields in its spec. */
const changed = (before: Cluster, fields: Partial<Job['spec']>, now: string): Cluster =>
  at(now, {
    ...before,
    jobs: (before.jobs ?? []).map((one) => ({ ...one, spec: { ...one.spec, ...fields } })),
  })

t.test('suspending ends the pods without failures, and resuming starts the time again', (t) => {
  const running = at(start, job('activeDeadlineSeconds: 60,'))
  t.same(conditions(running), undefined)
  const suspended = changed(running, { suspend: true }, '2026-03-10T10:00:20Z')
  t.same(conditions(suspended), ['Suspended JobSuspended'])
  t.ok(suspended.pods.every(({ metadata }) => metadata.deletionTimestamp !== undefined))
  t.match(statusOf(suspended), { active: undefined, failed: undefined })
  const resumed = changed(suspended, { suspend: false }, '2026-03-10T10:02:00Z')
  t.same(conditions(resumed), ['Suspended JobResumed'])
  t.equal(resumed.jobs?.[0]?.status?.conditions?.[0]?.status, 'False')
  t.match(statusOf(resumed), { active: 1, startTime: '2026-03-10T10:02:00Z' })
  t.end()
})

t.test('an indexed Job has a pod for each index, and counts indexes', (t) => {
  const first = at(start, job('completionMode: Indexed, completions: 4, parallelism: 3,'))
  t.same(
    first.pods.map(({ metadata }) => metadata.labels?.['batch.kubernetes.io/job-completion-index']).sort(),
    ['0', '1', '2'],
  )
  t.match(first.pods[0]?.spec.containers[0]?.env, [
    {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: {
        fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
      },
    },
  ])
  const second = end(first, 0, start)
  t.match(statusOf(second), { succeeded: 3, completedIndexes: '0-2' })
  const third = end(second, 0, start)
  t.match(statusOf(third), { succeeded: 4, completedIndexes: '0-3' })
  t.same(conditions(third), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'])
  t.end()
})

t.test('a limit of failures per index, and a success policy', (t) => {
  const limited =
    'completionMode: Indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 0, maxFailedIndexes: 0,'
  const lost = end(at(start, job(limited)), 1, start)
  t.match(statusOf(lost), { failedIndexes: '0,1', failed: 2 })
  t.same(conditions(lost), ['FailureTarget MaxFailedIndexesExceeded', 'Failed MaxFailedIndexesExceeded'])
  const policy = 'successPolicy: { rules: [{ succeededIndexes: "0", succeededCount: 1 }] },'
  const running = at(start, job(`completionMode: Indexed, completions: 2, parallelism: 1, ${policy}`))
  t.same(conditions(end(running, 0, start)), ['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy'])
  t.end()
})

t.test('a policy for failed pods fails the Job, or ignores the failure', (t) => {
  const policy = (action: string) =>
    `backoffLimit: 0, podFailurePolicy: { rules: [{ action: ${action}, onExitCodes: { operator: In, values: [42] } }] },`
  const failed = end(at(start, job(policy('FailJob'))), 42, start)
  t.same(conditions(failed), ['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy'])
  t.match(
    failed.jobs?.[0]?.status?.conditions?.[1]?.message,
    /^Container pi for pod default\/pi-\w+ failed with exit code 42 matching FailJob rule at index 0$/,
  )
  t.same(conditions(end(at(start, job(policy('Ignore'))), 42, start)), undefined)
  t.same(conditions(end(at(start, job(policy('Ignore'))), 1, start)), [
    'FailureTarget BackoffLimitExceeded',
    'Failed BackoffLimitExceeded',
  ])
  t.end()
})

t.test('a CronJob is stored, and creates no Jobs', (t) => {
  const text = `apiVersion: batch/v1
kind: CronJob
metadata: { name: tick }
spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: pi, image: x }] } } } } }
`
  const first = at('2026-03-10T10:01:00Z', text)
  t.equal(first.cronJobs?.length, 1)
  t.same(clusterNotices(first), ['CronJob objects are stored, and nothing acts on them: default/tick'])
  t.same(at('2026-03-10T10:05:00Z', first).jobs, [])
  t.end()
})

t.test('a ReplicationController has the selector of its template, and its pods', (t) => {
  const rc = (labels: string) =>
    `apiVersion: v1\nkind: ReplicationController\nmetadata: { name: web }\nspec: { replicas: 2, template: { metadata: { labels: ${labels} }, spec: { containers: [{ name: web, image: x }] } } }\n`
  const built = cluster(rc('{ app: web }'))
  t.same(built.replicationControllers?.[0]?.spec.selector, { app: 'web' })
  t.equal(built.pods.length, 2)
  t.same(
    at(start, { ...built, replicationControllers: [] }).pods.filter((pod) => !pod.metadata.deletionTimestamp),
    [],
  )
  t.same(
    refusals(() => cluster(rc('{}'))),
    ['a.yaml:4:1: The ReplicationController "web" is invalid: spec.selector: Required value'],
  )
  t.end()
})

t.test('what the API server rejects', (t) => {
  t.match(
    refusals(() => cluster(job('', 'Always'))),
    [
      /The Job "pi" is invalid: spec\.template\.spec\.restartPolicy: Required value: valid values: "OnFailure", "Never"$/,
    ],
  )
  t.match(
    refusals(() => cluster(job('backoffLimit: -1,'))),
    [/spec\.backoffLimit: Invalid value: -1: must be greater than or equal to 0$/],
  )
  t.end()
})
