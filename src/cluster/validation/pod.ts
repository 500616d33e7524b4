import type { Pod, PodSpec } from '../types.js'
import { validateContainers } from './container.js'
import { append, atLeast, invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { records, text } from '../manifests/loose.js'
import { validatePodNames } from './podNames.js'
import { validateVolumes } from './volume.js'
import { validateLabels, validateMetadata } from './metadata.js'

/** Validates a Pod (the parts of ValidatePodCreate that vethlab uses). */
export function validatePod(pod: Pod): FieldError[] {
  return [...validateMetadata(pod.metadata, dnsSubdomain), ...validatePodSpec(['spec'], pod.spec)]
}

/** Validates a PodSpec, of a pod or of a template; `claims` names volumes that its owner adds. */
export function validatePodSpec(path: Path, spec: PodSpec, claims: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  const volumes = new Set([...records(spec['volumes']).map(({ name }) => text(name)), ...claims])
  append(errors, validateVolumes([...path, 'volumes'], spec['volumes']))
  if (spec.containers.length === 0) errors.push(required([...path, 'containers']))
  append(errors, validateContainers([...path, 'containers'], spec.containers, names, volumes))
  append(errors, validateContainers([...path, 'initContainers'], spec.initContainers ?? [], names, volumes))
  append(errors, restartPolicy(path, spec))
  append(errors, validatePodNames(path, spec))
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
