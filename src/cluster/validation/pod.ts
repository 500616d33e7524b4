import { isRecord, records, text } from '../manifests/loose.js'
import type { Pod, PodSpec } from '../types.js'
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  type InPod,
} from './container.js'
import { forbidden, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, qualifiedName } from './formats.js'
import { validateLabels, validateMetadata } from './metadata.js'
import { dnsConfig, hostAliases } from './podNames.js'
import { validateResources } from './resources.js'
import { between, each, fields, formatted, supported, textOf, type Rule } from './rules.js'
import { affinity, schedulingGates, tolerations, topologySpread } from './scheduling.js'
import { podSecurity } from './security.js'
import { validateVolumes } from './volume.js'

/** Validates a Pod (ValidatePodCreate). */
export function validatePod(pod: Pod): FieldError[] {
  const { spec } = pod
  const path = ['spec']
  return [
    ...validateMetadata(pod.metadata, dnsSubdomain),
    ...validatePodSpec(path, spec),
    ...images([...path, 'containers'], spec.containers),
    ...images([...path, 'initContainers'], spec.initContainers),
    ...((spec.nodeName ?? '') !== '' && records(spec['schedulingGates']).length > 0
      ? [forbidden([...path, 'nodeName'], 'cannot be set until all schedulingGates have been cleared')]
      : []),
  ]
}

/** Validates a pod that is created: `kubectl debug` adds ephemeral containers to one that exists. */
export function validateNewPod({ spec }: Pod): FieldError[] {
  return (spec.ephemeralContainers ?? []).length > 0
    ? [forbidden(['spec', 'ephemeralContainers'], 'cannot be set on create')]
    : []
}

/** Only a pod's own images are checked, not those of templates. */
const images = each(
  fields({
    image: (path, value) =>
      text(value).trim() === text(value)
        ? []
        : [invalid(path, value, 'must not have leading or trailing whitespace')],
  }),
)

/** The other rules, in the order in which the API server looks at the fields. */
const rules = fields({
  restartPolicy: supported(['Always', 'OnFailure', 'Never']),
  dnsPolicy: supported(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  nodeSelector: (path, value) =>
    isRecord(value) ? validateLabels(path, value as Record<string, string>) : [],
  securityContext: podSecurity,
  affinity,
})

function validateOs(path: Path, value: unknown): FieldError[] {
  if (!isRecord(value)) return []
  const name = text(value['name'])
  // the message about another name has the path of the struct
  return name === '' ? [required([...path, 'name'])] : supported(['linux', 'windows'])(path, name)
}

const rulesAfterDns = fields({
  readinessGates: each(fields({ conditionType: textOf(qualifiedName) })),
  schedulingGates,
  topologySpreadConstraints: topologySpread,
  serviceAccountName: formatted(dnsSubdomain),
  nodeName: formatted(dnsSubdomain),
  activeDeadlineSeconds: between(1, 2 ** 31 - 1),
  hostname: formatted(dnsLabel),
  subdomain: formatted(dnsLabel),
  tolerations,
  hostAliases,
  priorityClassName: formatted(dnsSubdomain),
  runtimeClassName: textOf(dnsSubdomain),
  preemptionPolicy: supported(['PreemptLowerPriority', 'Never']),
  overhead: (path, value) => validateResources(path, { limits: value }),
  os: validateOs,
})

/** Validates a PodSpec, of a pod or of a template; `claims` names volumes that its owner adds. */
export function validatePodSpec(path: Path, spec: PodSpec, claims: readonly string[] = []): FieldError[] {
  const { errors, names } = validateVolumes([...path, 'volumes'], spec['volumes'])
  const inPod: InPod = { spec, volumes: new Set([...names, ...claims]), names: new Set() }
  return [
    ...errors,
    ...validateContainers([...path, 'containers'], inPod),
    ...validateInitContainers([...path, 'initContainers'], inPod),
    ...validateEphemeralContainers([...path, 'ephemeralContainers'], inPod),
    ...hostNetworkPorts([...path, 'containers'], spec),
    ...rules(path, spec),
    ...dnsConfig([...path, 'dnsConfig'], spec),
    ...rulesAfterDns(path, spec),
  ]
}

const samePorts: Rule = each(
  fields({
    ports: each((path, port) => {
      const { hostPort = 0, containerPort } = isRecord(port) ? port : {}
      return hostPort === 0 || hostPort === containerPort
        ? []
        : [invalid([...path, 'hostPort'], hostPort, 'must match `containerPort` when `hostNetwork` is true')]
    }),
  }),
)

function hostNetworkPorts(path: Path, spec: PodSpec): FieldError[] {
  return spec.hostNetwork === true ? samePorts(path, spec.containers) : []
}
