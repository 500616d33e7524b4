import { isRecord, records, text } from '../manifests/loose.js'
import { isEmptySelector, matchesSelector } from '../selectors.js'
import type { Workload } from '../defaults/workload.js'
import type { LabelSelector, PodSpec, PodTemplate, StatefulSet } from '../types.js'
import { forbidden, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { validateAnnotations, validateLabels, validateMetadata, validateSelector } from './metadata.js'
import { validatePodSpec } from './pod.js'
import { fields, formatted, nonNegative, supported, type Rule } from './rules.js'
import { isSame, type ValidateUpdate } from './update.js'
import { daemonSetStrategy, deploymentStrategy, statefulSetStrategy } from './strategy.js'

/** The rules of each kind, in the order in which the API server looks at the fields. */
const rules: Readonly<Record<Workload['kind'], (workload: Workload) => Readonly<Record<string, Rule>>>> = {
  Deployment: (workload) => ({
    replicas: nonNegative,
    ...selectorAndTemplate(workload),
    strategy: deploymentStrategy,
    minReadySeconds: nonNegative,
    revisionHistoryLimit: nonNegative,
    progressDeadlineSeconds: progressDeadline(workload.spec['minReadySeconds']),
  }),
  ReplicaSet: (workload) => ({
    replicas: nonNegative,
    minReadySeconds: nonNegative,
    ...selectorAndTemplate(workload),
  }),
  StatefulSet: (workload) => ({
    podManagementPolicy: (path, value) =>
      supported(['OrderedReady', 'Parallel'])(path, value).map(({ hint }) =>
        invalid(path, value, "must be 'OrderedReady' or 'Parallel'", hint),
      ),
    updateStrategy: statefulSetStrategy,
    persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: retention, whenScaled: retention }),
    replicas: nonNegative,
    minReadySeconds: nonNegative,
    ordinals: fields({ start: nonNegative }),
    ...selectorAndTemplate(workload),
  }),
  DaemonSet: (workload) => ({
    ...selectorAndTemplate(workload),
    minReadySeconds: nonNegative,
    updateStrategy: daemonSetStrategy,
    revisionHistoryLimit: nonNegative,
  }),
}

const retention = supported(['Retain', 'Delete'])

/** Validates a workload: its numbers, its strategy, its selector, and the template, which must match the selector. */
export function validateWorkload(workload: Workload): FieldError[] {
  return [
    ...validateMetadata(workload.metadata, workload.kind === 'StatefulSet' ? dnsLabel : dnsSubdomain),
    ...fields(rules[workload.kind](workload))(['spec'], workload.spec),
  ]
}

function progressDeadline(minReadySeconds: unknown): Rule {
  const least = typeof minReadySeconds === 'number' ? minReadySeconds : 0
  return (path, value) => [
    ...nonNegative(path, value),
    ...(typeof value === 'number' && value <= least
      ? [invalid(path, value, 'must be greater than minReadySeconds')]
      : []),
  ]
}

/** A template is only validated with a valid selector. */
function selectorAndTemplate(workload: Workload): Readonly<Record<string, Rule>> {
  const selector = workload.spec.selector as LabelSelector | undefined
  const wrong = selector === undefined ? [] : validateSelector(['spec', 'selector'], selector)
  return {
    selector: (path) => [...wrong, ...validateSelected(path, workload, wrong.length > 0)],
    template: (path) =>
      wrong.length > 0
        ? []
        : [...validateMatch([...path, 'metadata', 'labels'], workload), ...validateTemplate(path, workload)],
  }
}

function validateSelected(path: Path, { kind, spec }: Workload, isWrong: boolean): FieldError[] {
  const selector = spec.selector as LabelSelector | undefined
  if (selector === undefined)
    return kind === 'DaemonSet' ? [] : [{ ...required(path), hint: unrendered(spec.template) }]
  const owner = kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase()
  if (isEmptySelector(selector))
    return [invalid(path, selectorValue(selector), `empty selector is invalid for ${owner}`)]
  if (!isWrong || kind === 'DaemonSet') return []
  const error = invalid(path, selectorValue(selector), 'invalid label selector')
  return [kind === 'StatefulSet' ? { ...error, message: error.message.replace(/: [^:]*$/, '') } : error]
}

/** Without labels too, it is a part that kustomize completes. */
function unrendered({ metadata }: PodTemplate): string | undefined {
  return Object.keys(metadata?.labels ?? {}).length > 0
    ? undefined
    : 'kustomize can add selectors and labels, and merge patches: render its input first: `kubectl kustomize <folder> > manifests.yaml`'
}

/** No selector selects nothing, an empty one everything; both are rejected elsewhere. */
function validateMatch(path: Path, { spec }: Workload): FieldError[] {
  const selector = spec.selector as LabelSelector | undefined
  const labels = spec.template.metadata?.labels
  if (selector !== undefined && (isEmptySelector(selector) || matchesSelector(selector, labels))) return []
  const value = labels === undefined ? null : sorted(labels)
  return [invalid(path, value, '`selector` does not match template `labels`')]
}

function validateTemplate(path: Path, workload: Workload): FieldError[] {
  const { metadata, spec } = workload.spec.template
  const policy = text(spec['restartPolicy'])
  const owner = workload.kind === 'Deployment' ? 'ReplicaSet' : workload.kind
  return [
    ...validateLabels([...path, 'labels'], metadata?.labels),
    ...validateAnnotations([...path, 'annotations'], metadata?.annotations),
    ...validatePodSpec(
      [...path, 'spec'],
      workload.kind === 'StatefulSet' ? unnamedPod(spec) : spec,
      claimNames(workload),
    ),
    ...((spec.ephemeralContainers ?? []).length === 0
      ? []
      : [
          forbidden(
            [...path, 'spec', 'ephemeralContainers'],
            'ephemeral containers not allowed in pod template',
          ),
        ]),
    ...supported(['Always'])([...path, 'spec', 'restartPolicy'], policy),
    ...(spec['activeDeadlineSeconds'] === undefined
      ? []
      : [
          forbidden(
            [...path, 'spec', 'activeDeadlineSeconds'],
            `activeDeadlineSeconds in ${owner} is not Supported`,
          ),
        ]),
  ]
}

/** The controller of StatefulSets writes these names of a pod, whatever its template has. */
function unnamedPod({ hostname: _hostname, subdomain: _subdomain, ...spec }: PodSpec): PodSpec {
  return spec
}

/** The volumes that a StatefulSet adds to each of its pods. */
function claimNames({ spec }: Workload): string[] {
  return records(spec['volumeClaimTemplates']).flatMap(({ metadata }) =>
    isRecord(metadata) ? [text(metadata['name'])] : [],
  )
}

/** A selector as messages have it: without empty parts, labels in the order of their keys. */
function selectorValue({ matchLabels = {}, matchExpressions = [] }: LabelSelector): unknown {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) =>
    values.length === 0 ? { key, operator } : { key, operator, values },
  )
  return {
    ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels: sorted(matchLabels) }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  }
}

/** Rejects a change of the selector of a workload. */
export const immutableSelector: ValidateUpdate<Exclude<Workload, StatefulSet>> = (before, next) => {
  const [old, selector] = [before, next].map(({ spec }) => spec.selector as LabelSelector | undefined)
  if (isSame(old, selector)) return []
  const value = selector === undefined ? null : selectorValue(selector)
  return [invalid(['spec', 'selector'], value, 'field is immutable')]
}

const statefulSetFields = [
  ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'],
  ...['persistentVolumeClaimRetentionPolicy', 'minReadySeconds'],
]

/** The name of the governing Service is validated when a StatefulSet is created (ValidateStatefulSet). */
export function validateServiceName({ spec }: StatefulSet): FieldError[] {
  return formatted(dnsLabel)(['spec', 'serviceName'], spec.serviceName)
}

/** Allows changes of only a few fields of a StatefulSet (ValidateStatefulSetUpdate). */
export function validateStatefulSetUpdate(before: StatefulSet, next: StatefulSet): FieldError[] {
  const fixed = ({ spec }: StatefulSet) =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => !statefulSetFields.includes(field)))
  if (isSame(fixed(before), fixed(next))) return []
  const listed = statefulSetFields.slice(0, -1).map((field) => `'${field}'`)
  const detail = `updates to statefulset spec for fields other than ${listed.join(', ')} and 'minReadySeconds' are forbidden`
  return [forbidden(['spec'], detail)]
}

// Go prints maps in the order of their keys.
function sorted(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}
