import type { CronJob, Job, JobSpec, PodTemplate, ReplicationController } from '../types.js'
import { matchesLabels } from '../selectors.js'
import { uidLabels } from '../defaults/batch.js'
import { invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'
import { validateAnnotations, validateLabels, validateMetadata } from './metadata.js'
import { validatePodSpec } from './pod.js'
import { fields, nonNegative, supported } from './rules.js'
import { isSame, type ValidateUpdate } from './update.js'

/** Validates a ReplicationController (ValidateReplicationController). */
export function validateReplicationController({ metadata, spec }: ReplicationController): FieldError[] {
  const { selector, template } = spec as Partial<ReplicationController['spec']>
  const labels = template?.metadata?.labels
  const hasSelector = Object.keys(selector ?? {}).length > 0
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...fields({ minReadySeconds: nonNegative })(['spec'], spec),
    ...(hasSelector ? [] : [required(['spec', 'selector'])]),
    ...fields({ replicas: nonNegative })(['spec'], spec),
    ...(template === undefined ? [required(['spec', 'template'])] : []),
    ...(template !== undefined && hasSelector && !matchesLabels(selector ?? {}, labels)
      ? [
          invalid(
            ['spec', 'template', 'metadata', 'labels'],
            labels ?? null,
            '`selector` does not match template `labels`',
          ),
        ]
      : []),
    ...(template === undefined ? [] : validateTemplate(['spec', 'template'], template, ['Always'])),
  ]
}

/** Validates a Job (ValidateJob). */
export function validateJob({ metadata, spec }: Job): FieldError[] {
  return [...validateMetadata(metadata, dnsSubdomain), ...validateJobSpec(['spec'], spec)]
}

/** Validates a CronJob (ValidateCronJobCreate) except its schedule: its name leaves room for the names of Jobs. */
export function validateCronJob({ metadata, spec }: CronJob): FieldError[] {
  const { schedule } = spec
  const { name } = metadata
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...(schedule === '' ? [required(['spec', 'schedule'])] : []),
    ...fields({
      startingDeadlineSeconds: nonNegative,
      concurrencyPolicy: supported(['Allow', 'Forbid', 'Replace']),
    })(['spec'], spec),
    ...validateJobSpec(['spec', 'jobTemplate', 'spec'], spec.jobTemplate.spec),
    ...fields({ successfulJobsHistoryLimit: nonNegative, failedJobsHistoryLimit: nonNegative })(
      ['spec'],
      spec,
    ),
    ...(name.length > 52 ? [invalid(['metadata', 'name'], name, 'must be no more than 52 characters')] : []),
  ]
}

function validateJobSpec(path: Path, spec: JobSpec): FieldError[] {
  const isIndexed = spec.completionMode === 'Indexed'
  return [
    ...fields({
      ...{ parallelism: nonNegative, completions: nonNegative, activeDeadlineSeconds: nonNegative },
      ...{ backoffLimit: nonNegative, ttlSecondsAfterFinished: nonNegative },
      completionMode: supported(['NonIndexed', 'Indexed']),
      podReplacementPolicy: supported(['TerminatingOrFailed', 'Failed']),
    })(path, spec),
    ...(isIndexed && spec.completions === undefined
      ? [required([...path, 'completions'], 'when completion mode is Indexed')]
      : []),
    ...validateTemplate([...path, 'template'], spec.template, ['OnFailure', 'Never']),
  ]
}

function validateTemplate(
  path: Path,
  { metadata, spec }: PodTemplate,
  policies: readonly string[],
): FieldError[] {
  const policy = spec['restartPolicy']
  const at = [...path, 'spec', 'restartPolicy']
  const isAlways = policies.length > 1 && (policy === undefined || policy === 'Always')
  return [
    ...validateLabels([...path, 'labels'], withoutController(metadata?.labels)),
    ...validateAnnotations([...path, 'annotations'], metadata?.annotations),
    ...validatePodSpec([...path, 'spec'], spec),
    ...(isAlways
      ? [required(at, `valid values: "${policies.join('", "')}"`)]
      : supported(policies)(at, policy)),
  ]
}

/** The other labels: those of the controller are always valid in a real cluster, because they are uids. */
function withoutController(labels: Labels = {}): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !uidLabels.includes(key)))
}

type Labels = Readonly<Record<string, string>>

/** A Job keeps its pods: completions, selector and template do not change (ValidateJobUpdate). */
export const validateJobUpdate: ValidateUpdate<Job> = (before, next) =>
  (['completions', 'selector', 'template', 'completionMode'] as const)
    .filter((field) => !isSame(before.spec[field], next.spec[field]))
    .map((field) => invalid(['spec', field], next.spec[field] ?? null, 'field is immutable'))
