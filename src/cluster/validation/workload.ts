import { isRecord, records, text } from '../manifests/loose.js'
import { isEmptySelector, matchesSelector } from '../selectors.js'
import type { Workload } from '../defaults/workload.js'
import type { LabelSelector } from '../types.js'
import { append, atLeast, forbidden, intOrPercent, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'
import { validateAnnotations, validateLabels, validateMetadata, validateSelector } from './metadata.js'
import { validatePodSpec } from './pod.js'

/** Validates a workload: replicas, selector, strategy, and the template, which must match the selector. */
export function validateWorkload(workload: Workload): FieldError[] {
  const { spec } = workload
  const { template } = spec
  const path = ['spec', 'template']
  const policy = template.spec['restartPolicy']
  return [
    ...validateMetadata(workload.metadata, dnsSubdomain),
    ...atLeast(['spec', 'replicas'], wholeNumber(spec['replicas']), 0),
    ...atLeast(['spec', 'minReadySeconds'], wholeNumber(spec['minReadySeconds']), 0),
    ...validateStrategy(workload),
    ...(workload.kind === 'StatefulSet'
      ? [
          ...atLeast(['spec', 'ordinals', 'start'], workload.spec.ordinals?.start, 0),
          ...oneOf(['spec', 'podManagementPolicy'], workload.spec.podManagementPolicy, [
            'OrderedReady',
            'Parallel',
          ]),
        ]
      : []),
    ...validateWorkloadSelector(workload, spec.selector),
    ...validateLabels([...path, 'metadata', 'labels'], template.metadata?.labels),
    ...validateAnnotations([...path, 'metadata', 'annotations'], template.metadata?.annotations),
    ...(policy === 'OnFailure' || policy === 'Never'
      ? oneOf([...path, 'spec', 'restartPolicy'], policy, ['Always'])
      : []),
    ...validatePodSpec([...path, 'spec'], template.spec, claimNames(workload)),
  ]
}

/** The volumes that a StatefulSet adds to each of its pods. */
function claimNames({ spec }: Workload): string[] {
  return records(spec['volumeClaimTemplates']).flatMap(({ metadata }) =>
    isRecord(metadata) ? [text(metadata['name'])] : [],
  )
}

/** Validates the update strategy: its field name and types depend on the kind, its numbers do not. */
function validateStrategy(workload: Workload): FieldError[] {
  const field = workload.kind === 'Deployment' ? 'strategy' : 'updateStrategy'
  const strategy = workload.spec[field] as
    { type?: string; rollingUpdate?: Record<string, unknown> } | undefined
  if (strategy === undefined) return []
  const other = workload.kind === 'Deployment' ? 'Recreate' : 'OnDelete'
  return [
    ...oneOf(['spec', field, 'type'], strategy.type, [other, 'RollingUpdate']),
    ...(strategy.type === other && strategy.rollingUpdate !== undefined
      ? [
          forbidden(
            ['spec', field, 'rollingUpdate'],
            `may not be specified when strategy \`type\` is '${other}'`,
          ),
        ]
      : []),
    ...['maxSurge', 'maxUnavailable'].flatMap((name) =>
      intOrPercent(['spec', field, 'rollingUpdate', name], strategy.rollingUpdate?.[name]),
    ),
  ]
}

function validateWorkloadSelector(
  workload: Workload,
  // Decoding leaves a missing selector undefined, whatever the type.
  selector: LabelSelector | undefined,
): FieldError[] {
  const path = ['spec', 'selector']
  const labels = workload.spec.template.metadata?.labels ?? {}
  const errors: FieldError[] = []
  if (selector === undefined) errors.push(required(path))
  else {
    append(errors, validateSelector(path, selector))
    if (isEmptySelector(selector))
      errors.push(
        invalid(
          path,
          selector,
          `empty selector is invalid for ${workload.kind === 'ReplicaSet' ? 'replicaset' : workload.kind.toLowerCase()}`,
        ),
      )
  }
  // No selector selects nothing, an empty one everything; each is rejected above.
  if (selector === undefined || (!isEmptySelector(selector) && !matchesSelector(selector, labels)))
    errors.push(
      invalid(
        ['spec', 'template', 'metadata', 'labels'],
        sorted(labels),
        '`selector` does not match template `labels`',
      ),
    )
  return errors
}

// Go prints maps in the order of their keys.
function sorted(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
