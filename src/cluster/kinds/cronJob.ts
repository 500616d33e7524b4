import { ageColumn, column, nameColumn, since, wideColumn } from '../columns/column.js'
import { selectorText } from '../columns/selectorText.js'
import { finishedJob } from '../controllers/jobs/jobs.js'
import { defaultCronJob } from '../defaults/batch.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { cronJobSchema } from '../schema/batch.js'
import type { CronJob } from '../types.js'
import { validateCronJob } from '../validation/batch.js'
import { defineKind } from './kind.js'
import { blankTemplate } from './workload.js'

type PrintedCronJob = CronJob & { status?: { active?: readonly object[] } }

/** CronJob of batch/v1; columns as printCronJob of Kubernetes v1.36 writes them. */
export const cronJob = defineKind<CronJob, PrintedCronJob>({
  group: 'batch',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  list: 'cronJobs',
  schema: cronJobSchema,
  setDefaults: defaultCronJob,
  validate: validateCronJob,
  statusOf(object, { jobs = [] }) {
    const own = jobs.filter((job) => controllerKey(job) === objectKey(object))
    const active = own
      .filter((job) => finishedJob(job) === undefined)
      .map(({ apiVersion, kind, metadata: { name, namespace } }) => ({ apiVersion, kind, name, namespace }))
    const successes = own.flatMap(({ status }) => status?.completionTime ?? []).sort()
    const { lastScheduleTime } = object.status ?? {}
    const lastSuccessfulTime = successes.at(-1)
    return {
      ...(active.length === 0 ? {} : { active }),
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
    }
  },
  blank: {
    spec: { schedule: '', jobTemplate: { metadata: {}, spec: { template: blankTemplate } } },
    status: {},
  },
  columns: [
    nameColumn,
    column('Schedule', 'times in cron format', ({ spec }) => spec.schedule),
    column('Timezone', 'zone of the schedule', ({ spec }) => spec.timeZone ?? '<none>'),
    column('Suspend', 'whether no Jobs are created', ({ spec }) =>
      spec.suspend === true ? 'True' : 'False',
    ),
    column('Active', 'running Jobs', ({ status }) => status?.active?.length ?? 0, 'integer'),
    column('Last Schedule', 'time since a Job was due', ({ status }, now) =>
      status?.lastScheduleTime === undefined ? '<none>' : since(status.lastScheduleTime, now),
    ),
    ageColumn,
    wideColumn('Containers', 'names of the containers', (object) => containersOf(object, 'name')),
    wideColumn('Images', 'images of the containers', (object) => containersOf(object, 'image')),
    wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) =>
      selectorText(spec.jobTemplate.spec.selector),
    ),
  ],
})

function containersOf({ spec }: PrintedCronJob, field: 'name' | 'image'): string {
  return spec.jobTemplate.spec.template.spec.containers.map((container) => container[field]).join(',')
}
