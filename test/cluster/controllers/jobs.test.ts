import t from 'tap'
import { reconcileLive } from '../../../src/cluster/changes/index.js'
import { kindOf } from '../../../src/cluster/kinds/index.js'
import { nextCronDue } from '../../../src/cluster/controllers/cronJobs.js'
import { nextJobDue } from '../../../src/cluster/controllers/jobs.js'
import { podExited, podFinished } from '../../../src/cluster/pods/podStatus.js'
import type { Cluster, Job } from '../../../src/cluster/types.js'
import { cluster, refusals } from '../lab.js'

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
  t.same(conditions(late), ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded'])
  t.ok(late.pods.every(({ metadata }) => metadata.deletionTimestamp !== undefined))
  t.equal(at(start, job('suspend: true,')).pods.length, 0)
  const indexed = at(start, job('completionMode: Indexed, completions: 2, parallelism: 2,'))
  t.same(indexed.pods.map(({ spec }) => spec.hostname).sort(), ['pi-0', 'pi-1'])
  const done = end(at(start, job('ttlSecondsAfterFinished: 60,')), 0, start)
  t.equal(nextJobDue(done), 60_000)
  t.same(at('2026-03-10T10:01:00Z', done).jobs, [])
  t.end()
})

t.test('a CronJob creates Jobs at its times, and keeps the last of them', (t) => {
  const text = `apiVersion: batch/v1
kind: CronJob
metadata: { name: tick }
spec: { schedule: "*/5 * * * *", successfulJobsHistoryLimit: 1, jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: pi, image: x, command: [sh] }] } } } } }
`
  const names = ({ jobs = [] }: Cluster) => jobs.map(({ metadata }) => metadata.name)
  const first = at('2026-03-10T10:01:00Z', text)
  t.same([names(first), nextCronDue(first)], [[], 240_000])
  const due = at('2026-03-10T10:05:00Z', first)
  t.same(names(due), ['tick-29552285'])
  t.equal(due.pods.length, 1)
  const next = at('2026-03-10T10:10:00Z', end(due, 0, '2026-03-10T10:05:09Z'))
  t.same(names(next), ['tick-29552285', 'tick-29552290'])
  t.same(names(end(next, 0, '2026-03-10T10:10:09Z')), ['tick-29552290'], 'one is kept')
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
