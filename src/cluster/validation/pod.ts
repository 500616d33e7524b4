import type { Pod, PodSpec } from '../types.js'
import { validateContainers } from './container.js'
import { append, atLeast, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { validateLabels, validateMetadata } from './metadata.js'

/** Checks a Pod (ValidatePodCreate, as far as vethlab looks into it). */
export function validatePod(pod: Pod): FieldError[] {
  return [...validateMetadata(pod.metadata, dnsSubdomain), ...validatePodSpec(['spec'], pod.spec)]
}

/** Checks a PodSpec, of a pod or of a template. */
export function validatePodSpec(path: Path, spec: PodSpec): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  if (spec.containers.length === 0) errors.push(required([...path, 'containers']))
  append(errors, validateContainers([...path, 'containers'], spec.containers, names))
  append(errors, validateContainers([...path, 'initContainers'], spec.initContainers ?? [], names))
  append(errors, restartPolicy(path, spec))
  append(errors, atLeast([...path, 'terminationGracePeriodSeconds'], spec.terminationGracePeriodSeconds, 0))
  append(errors, validateLabels([...path, 'nodeSelector'], spec.nodeSelector))
  for (const [field, format] of [
    ['nodeName', dnsSubdomain],
    ['hostname', dnsLabel],
    ['subdomain', dnsLabel],
  ] as const) {
    const value = spec[field]
    if (value !== undefined && value !== '')
      append(
        errors,
        format(value).map((detail) => invalid([...path, field], value, detail)),
      )
  }
  return errors
}

function restartPolicy(path: Path, spec: PodSpec): FieldError[] {
  const policy = spec['restartPolicy']
  const known = ['Always', 'OnFailure', 'Never']
  return typeof policy === 'string' ? oneOf([...path, 'restartPolicy'], policy, known) : []
}
