import type { CronJob, Job, JobSpec, PodTemplate, ReplicationController } from '../types.js'
import { filled } from './filled.js'
import { defaultPodSpec, withFirstGeneration } from './pod.js'

const jobNameLabels = ['batch.kubernetes.io/job-name', 'job-name']
/** The label of the pods of a Job that names it, and its older name; a real cluster has its uid there. */
const controllerLabel = 'batch.kubernetes.io/controller-uid'
const legacyLabel = 'controller-uid'
/** The labels whose value is always valid in a real cluster. */
export const uidLabels: readonly string[] = [controllerLabel, legacyLabel]

/** Sets the defaults of a ReplicationController (SetDefaults_ReplicationController): selector and labels of the template. */
export function defaultReplicationController(object: ReplicationController): ReplicationController {
  const template = defaultTemplate(object.spec.template)
  const labels = template.metadata?.labels
  const { status: _written, ...rest } = object as ReplicationController & { status?: unknown }
  const metadata =
    object.metadata.labels === undefined && labels !== undefined
      ? { ...object.metadata, labels }
      : object.metadata
  return withFirstGeneration({
    ...rest,
    metadata,
    spec: {
      ...filled(object.spec, { replicas: 1, ...(labels === undefined ? {} : { selector: labels }) }),
      template,
    },
  })
}

/** Sets the defaults of a Job (SetDefaults_Job), and the selector and labels by which it finds its pods (generateSelector). */
export function defaultJob(object: Job): Job {
  const { status: _written, ...rest } = object
  return withFirstGeneration({ ...rest, spec: withSelector(object, defaultJobSpec(object.spec)) })
}

/** A stored Job has the labels of its template, unless it has labels. */
export function withTemplateLabels(job: Job): Job {
  const { labels = {} } = job.metadata
  const { labels: own } = job.spec.template.metadata ?? {}
  return own === undefined || Object.keys(labels).length > 0
    ? job
    : { ...job, metadata: { ...job.metadata, labels: own } }
}

/** Sets the defaults of a CronJob (SetDefaults_CronJob). */
export function defaultCronJob(object: CronJob): CronJob {
  const { status: _written, ...rest } = object as CronJob & { status?: unknown }
  const { jobTemplate } = object.spec
  return withFirstGeneration({
    ...rest,
    spec: {
      ...filled(object.spec, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      }),
      jobTemplate: { ...unnamed(jobTemplate), spec: defaultTemplateOf(jobTemplate.spec) },
    },
  })
}

function defaultTemplateOf(spec: JobSpec): JobSpec {
  return { ...spec, template: defaultTemplate(spec.template) }
}

function defaultJobSpec(spec: JobSpec): JobSpec {
  const { completions, parallelism } = spec
  const counts = completions === undefined && parallelism === undefined ? { completions: 1 } : {}
  return defaultTemplateOf(
    filled(spec, {
      ...counts,
      parallelism: 1,
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    }),
  )
}

/** The pods of a Job are found by a label that names the Job; a real cluster uses its uid. */
function withSelector({ metadata }: Job, spec: JobSpec): JobSpec {
  if (spec.manualSelector === true || spec.selector !== undefined) return spec
  const { name, namespace = 'default' } = metadata
  const id = { [controllerLabel]: `${namespace}.${name}` }
  const own = {
    ...id,
    [legacyLabel]: `${namespace}.${name}`,
    ...Object.fromEntries(jobNameLabels.map((key) => [key, name])),
  }
  const { template } = spec
  const labels = { ...template.metadata?.labels, ...own }
  return {
    ...spec,
    selector: { matchLabels: id },
    template: { ...template, metadata: { ...template.metadata, labels } },
  }
}

function defaultTemplate(template: PodTemplate): PodTemplate {
  return { ...unnamed(template), spec: defaultPodSpec(template.spec) }
}

/** Decoding gives the metadata of a template an empty name, like in Go; JSON does not show it. */
function unnamed<Of extends { metadata?: Partial<{ name: string }> }>(template: Of): Of {
  if (template.metadata?.name !== '') return template
  const { name: _empty, ...metadata } = template.metadata
  return { ...template, metadata }
}
