import { cronJobWarnings } from '../warnings/workload.js'
import { ageColumn, column, nameColumn, wideColumn } from '../columns/column.js'
import { selectorText } from '../columns/selectorText.js'
import { defaultCronJob } from '../defaults/batch.js'
import { cronJobSchema } from '../schema/batch.js'
import type { CronJob } from '../types.js'
import { validateCronJob } from '../validation/batch.js'
import { defineKind } from './kind.js'
import { blankTemplate } from './workload.js'

/** CronJob of batch/v1, which is stored and creates no Jobs; columns as printCronJob of Kubernetes v1.36 writes them. */
export const cronJob = defineKind<CronJob>({
  group: 'batch',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  list: 'cronJobs',
  schema: cronJobSchema,
  setDefaults: defaultCronJob,
  warnings: cronJobWarnings,
  validate: validateCronJob,
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
    column('Active', 'running Jobs', () => 0, 'integer'),
    column('Last Schedule', 'time since a Job was due', () => '<none>'),
    ageColumn,
    wideColumn('Containers', 'names of the containers', (object) => containersOf(object, 'name')),
    wideColumn('Images', 'images of the containers', (object) => containersOf(object, 'image')),
    wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) =>
      selectorText(spec.jobTemplate.spec.selector),
    ),
  ],
})

function containersOf({ spec }: CronJob, field: 'name' | 'image'): string {
  return spec.jobTemplate.spec.template.spec.containers.map((container) => container[field]).join(',')
}
