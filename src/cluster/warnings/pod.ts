import { appArmorPrefix } from '../defaults/appArmor.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { fieldPath } from '../schema/decode.js'
import type { Container, ContainerPort, ObjectMeta, Pod, PodSpec } from '../types.js'
import type { Path } from '../validation/fieldErrors.js'
import { labelValue } from '../validation/formats.js'
import { fractionWarnings } from './fractions.js'
import { volumeWarnings } from './volumes.js'
import { addressWarnings, keyWarning, nameWarnings, warning, type Warning } from './warning.js'

/** Warnings about a new pod; an update of a pod has none (WarningsOnCreate of the pod strategy). */
export function newPodWarnings({ metadata, spec }: Pod, before?: Pod): Warning[] {
  if (before !== undefined) return []
  return [
    ...appArmorWarnings([], spec, metadata),
    ...nameWarnings(metadata.name, "the Pod's hostname"),
    ...podWarnings([], spec, metadata),
  ]
}

/** Warnings about a pod or a template at `path` (warningsForPodSpecAndMeta of pkg/api/pod). */
export function podWarnings(path: Path, spec: PodSpec, metadata: Partial<ObjectMeta>): Warning[] {
  const at = [...path, 'spec']
  return [
    ...nodeLabelWarnings(at, spec),
    ...annotationWarnings(path, metadata),
    ...volumeWarnings([...at, 'volumes'], records(spec['volumes'])),
    ...repeatedWarnings([...at, 'hostAliases'], records(spec['hostAliases']), 'ip'),
    ...repeatedWarnings([...at, 'imagePullSecrets'], records(spec['imagePullSecrets']), 'name'),
    ...records(spec['imagePullSecrets']).flatMap(({ name = '' }, index) =>
      name === '' ? [warning([...at, 'imagePullSecrets', index, 'name'], 'invalid empty name ""')] : [],
    ),
    ...fractionWarnings(at, spec, 'overhead'),
    ...seccompWarnings(path, spec, metadata),
    ...(path.length === 0 ? [] : appArmorWarnings(path, spec, metadata)),
    ...containersOf(spec).flatMap(([place, container]) => containerWarnings([...at, ...place], container)),
    ...portWarnings(at, spec),
    ...portNameWarnings(at, spec),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          warning(
            [...at, 'terminationGracePeriodSeconds'],
            'must be >= 0; negative values are invalid and will be treated as 1',
          ),
        ]
      : []),
    ...affinityWarnings([...at, 'affinity'], spec),
    ...nameserverWarnings(at, spec),
  ]
}

/** All containers with their places, in the order in which the API server visits them. */
function containersOf(spec: PodSpec): (readonly [Path, Container])[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => [[list, index], container] as const),
  )
}

/** Node labels that have another name now. */
const oldNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

function nodeLabelWarnings(at: Path, spec: PodSpec): Warning[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...rest } =
    spec.affinity?.nodeAffinity ?? {}
  const preferred = records(rest['preferredDuringSchedulingIgnoredDuringExecution' as keyof typeof rest])
  const affinity = [...at, 'affinity', 'nodeAffinity']
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const detail = oldNodeLabels[key]
      return detail === undefined ? [] : [keyWarning([...at, 'nodeSelector'], key, detail)]
    }),
    ...records(required?.nodeSelectorTerms).flatMap((term, index) =>
      termWarnings(
        [...affinity, 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms', index],
        term,
        false,
      ),
    ),
    ...preferred.flatMap((one, index) =>
      termWarnings(
        [...affinity, 'preferredDuringSchedulingIgnoredDuringExecution', index, 'preference'],
        one['preference'],
        true,
      ),
    ),
    ...records(spec['topologySpreadConstraints']).flatMap((constraint, index) => {
      const place = [...at, 'topologySpreadConstraints', index]
      const key = text(constraint['topologyKey'])
      const detail = oldNodeLabels[key]
      return [
        ...(detail === undefined ? [] : [warning([...place, 'topologyKey'], `${key} is ${detail}`)]),
        ...(constraint['labelSelector'] === undefined ? [selectsNothing(place)] : []),
      ]
    }),
  ]
}

function termWarnings(path: Path, term: unknown, withValues: boolean): Warning[] {
  const expressions = isRecord(term) ? records(term['matchExpressions']) : []
  return expressions.flatMap((expression, index) => {
    const at = [...path, 'matchExpressions', index]
    const key = text(expression['key'])
    const detail = oldNodeLabels[key]
    const values = withValues && Array.isArray(expression['values']) ? expression['values'] : []
    return [
      ...(detail === undefined ? [] : [warning([...at, 'key'], `${key} is ${detail}`)]),
      ...values.flatMap((value, place) =>
        labelValue(text(value)).map((why) =>
          warning([...at, 'values', place], `${text(value)} is invalid, ${why}`),
        ),
      ),
    ]
  })
}

function selectsNothing(path: Path): Warning {
  return warning([...path, 'labelSelector'], 'a null labelSelector results in matching no pod')
}

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}

function annotationWarnings(path: Path, { annotations = {} }: Partial<ObjectMeta>): Warning[] {
  return Object.entries(oldAnnotations).flatMap(([key, detail]) =>
    annotations[key] === undefined ? [] : [keyWarning([...path, 'metadata', 'annotations'], key, detail)],
  )
}

function repeatedWarnings(
  path: Path,
  items: readonly Readonly<Record<string, unknown>>[],
  field: string,
): Warning[] {
  const values = items.map((item) => text(item[field]))
  return values.flatMap((value, index) =>
    values.indexOf(value) < index
      ? [warning([...path, index, field], `duplicate ${field} ${JSON.stringify(value)}`)]
      : [],
  )
}

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'

function seccompWarnings(path: Path, spec: PodSpec, { annotations = {} }: Partial<ObjectMeta>): Warning[] {
  const unused = [
    ...(hasField(spec, 'seccompProfile') ? [] : [podSeccomp]),
    ...containersOf(spec).flatMap(([, one]) =>
      hasField(one, 'seccompProfile') ? [] : [containerSeccomp + one.name],
    ),
  ]
  return unused.flatMap((key) =>
    annotations[key] === undefined
      ? []
      : [
          keyWarning(
            [...path, 'metadata', 'annotations'],
            key,
            'non-functional in v1.27+; use the "seccompProfile" field instead',
          ),
        ],
  )
}

function hasField(owner: Readonly<Record<string, unknown>>, field: string): boolean {
  const context = owner['securityContext']
  return isRecord(context) && context[field] !== undefined
}

function appArmorWarnings(path: Path, spec: PodSpec, { annotations = {} }: Partial<ObjectMeta>): Warning[] {
  return containersOf(spec).flatMap(([, container]) => {
    const key = appArmorPrefix + container.name
    if (annotations[key] === undefined || hasField(container, 'appArmorProfile')) return []
    const detail = 'deprecated since v1.30; use the "appArmorProfile" field instead'
    return [keyWarning([...path, 'metadata', 'annotations'], key, detail)]
  })
}

function containerWarnings(at: Path, container: Container): Warning[] {
  const { resources } = container
  const [limits, requests] = ['limits', 'requests'].map((side) =>
    (['memory', 'ephemeral-storage'] as const).map((name) =>
      fractionWarnings([...at, 'resources'], resources, side, [name]),
    ),
  )
  return [
    // first the memory of both sides
    ...[0, 1].flatMap((index) => [...(limits?.[index] ?? []), ...(requests?.[index] ?? [])]),
    ...envWarnings([...at, 'env'], container),
  ]
}

/** A variable that is set twice, unless the second value contains the first one. */
function envWarnings(path: Path, { env = [] }: Container): Warning[] {
  const names = env.map(({ name }) => name)
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const reference = `$(${name})`
    const extendsIt = valueFrom === undefined && value !== reference && value.includes(reference)
    return names.indexOf(name) === index || extendsIt
      ? []
      : [
          warning(
            [...path, index],
            `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
          ),
        ]
  })
}

function portWarnings(at: Path, spec: PodSpec): Warning[] {
  const known = new Map<string, { readonly place: Path; readonly port: ContainerPort }[]>()
  return portsOf(at, spec).flatMap(({ place, port }) => {
    const { containerPort, protocol = 'TCP', hostIP = '', hostPort = 0 } = port
    const key = `${containerPort}/${protocol}`
    const others = known.get(key) ?? []
    known.set(key, [...others, { place, port }])
    return [
      ...(hostIP !== '' && hostPort === 0
        ? [warning(place, `hostIP set without hostPort: ${structText(port)}`)]
        : []),
      ...others.flatMap((other) => {
        const kind = overlap(port, other.port)
        return kind === undefined
          ? []
          : [warning(place, `${kind} port definition with ${fieldPath(other.place)}`)]
      }),
    ]
  })
}

function overlap(one: ContainerPort, other: ContainerPort): string | undefined {
  const { hostIP = '', hostPort = 0 } = one
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate'
  if (hostPort === 0 || otherPort === 0) return 'overlapping'
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined
}

/** A port as Go prints its struct. */
function structText({
  name = '',
  hostPort = 0,
  containerPort,
  protocol = 'TCP',
  hostIP = '',
}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function portNameWarnings(at: Path, spec: PodSpec): Warning[] {
  const known = new Map<string, string>()
  return portsOf(at, spec).flatMap(({ place, port: { name = '' } }) => {
    const other = known.get(name)
    if (name !== '' && other === undefined) known.set(name, fieldPath(place))
    if (name === '' || other === undefined) return []
    const detail = `duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`
    return [warning(place, detail)]
  })
}

function portsOf(at: Path, spec: PodSpec): { readonly place: Path; readonly port: ContainerPort }[] {
  return containersOf(spec).flatMap(([place, { ports = [] }]) =>
    ports.map((port, index) => ({ place: [...at, ...place, 'ports', index], port })),
  )
}

function affinityWarnings(at: Path, { affinity }: PodSpec): Warning[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const terms = (affinity?.[field] ?? {}) as Readonly<Record<string, unknown>>
    const required = 'requiredDuringSchedulingIgnoredDuringExecution'
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
    const lacks = (term: unknown) => isRecord(term) && term['labelSelector'] === undefined
    return [
      ...records(terms[required]).flatMap((term, index) =>
        lacks(term) ? [selectsNothing([...at, field, required, index])] : [],
      ),
      ...records(terms[preferred]).flatMap((term, index) =>
        lacks(term['podAffinityTerm'])
          ? [selectsNothing([...at, field, preferred, index, 'podAffinityTerm'])]
          : [],
      ),
    ]
  })
}

function nameserverWarnings(at: Path, spec: PodSpec): Warning[] {
  const config = spec['dnsConfig']
  const servers = isRecord(config) && Array.isArray(config['nameservers']) ? config['nameservers'] : []
  return [
    ...servers.flatMap((server, index) =>
      addressWarnings([...at, 'dnsConfig', 'nameservers', index], text(server)),
    ),
    ...records(spec['hostAliases']).flatMap(({ ip }, index) =>
      addressWarnings([...at, 'hostAliases', index, 'ip'], text(ip)),
    ),
  ]
}
