import { isEmptySelector, matchesSelector } from '../selectors.js'
import type { Deployment, LabelSelector, ReplicaSet } from '../types.js'
import { append, atLeast, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'
import { validateAnnotations, validateLabels, validateMetadata, validateSelector } from './metadata.js'
import { validatePodSpec } from './pod.js'

/** Checks a Deployment or ReplicaSet: replicas, selector, and the template that has to match it. */
export function validateWorkload(workload: Deployment | ReplicaSet): FieldError[] {
  const { spec } = workload
  const { template } = spec
  const path = ['spec', 'template']
  const policy = template.spec['restartPolicy']
  return [
    ...validateMetadata(workload.metadata, dnsSubdomain),
    ...atLeast(['spec', 'replicas'], spec.replicas, 0),
    ...atLeast(['spec', 'minReadySeconds'], wholeNumber(spec['minReadySeconds']), 0),
    ...validateWorkloadSelector(workload, spec.selector),
    ...validateLabels([...path, 'metadata', 'labels'], template.metadata?.labels),
    ...validateAnnotations([...path, 'metadata', 'annotations'], template.metadata?.annotations),
    ...(policy === 'OnFailure' || policy === 'Never'
      ? oneOf([...path, 'spec', 'restartPolicy'], policy, ['Always'])
      : []),
    ...validatePodSpec([...path, 'spec'], template.spec),
  ]
}

function validateWorkloadSelector(
  workload: Deployment | ReplicaSet,
  // A missing selector is left missing by decoding, whatever the type says.
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
          `empty selector is invalid for ${workload.kind === 'Deployment' ? 'deployment' : 'replicaset'}`,
        ),
      )
  }
  // No selector selects nothing, an empty one everything; each is refused above.
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
