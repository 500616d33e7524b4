import { canonicalJson } from '../hash.js'
import type {
  ConfigMap,
  Container,
  EndpointSlice,
  IngressClass,
  KubeObject,
  LabelSelector,
  Pod,
  Secret,
  StatefulSet,
} from '../types.js'
import type { GatewayClass } from '../gatewayTypes.js'
import { forbidden, invalid } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'

const immutable = 'field is immutable'

/** Changes that the API server does not let through, by the kind of object. */
export function immutableErrors(before: KubeObject, next: KubeObject): FieldError[] {
  switch (next.kind) {
    case 'Pod':
      return podErrors(before as Pod, next as Pod)
    case 'Deployment':
    case 'ReplicaSet':
    case 'DaemonSet':
      return selectorErrors(before as WithSelector, next as WithSelector)
    case 'StatefulSet':
      return statefulSetErrors(before as StatefulSet, next as StatefulSet)
    case 'ConfigMap':
      return configMapErrors(before as ConfigMap, next as ConfigMap)
    case 'Secret':
      return secretErrors(before as Secret, next as Secret)
    case 'IngressClass': {
      const { controller } = (next as IngressClass).spec
      return controller === (before as IngressClass).spec.controller
        ? []
        : [invalid(['spec', 'controller'], controller, immutable)]
    }
    case 'GatewayClass': {
      const { controllerName } = (next as GatewayClass).spec
      return controllerName === (before as GatewayClass).spec.controllerName
        ? []
        : [invalid(['spec', 'controllerName'], controllerName, 'Value is immutable')]
    }
    case 'EndpointSlice': {
      const { addressType } = next as EndpointSlice
      return addressType === (before as EndpointSlice).addressType
        ? []
        : [invalid(['addressType'], addressType, immutable)]
    }
    default:
      return []
  }
}

type WithSelector = KubeObject & { spec: { selector: LabelSelector } }

function selectorErrors(before: WithSelector, next: WithSelector): FieldError[] {
  const { selector } = next.spec
  return isSame(before.spec.selector, selector) ? [] : [invalid(['spec', 'selector'], selector, immutable)]
}

const podFields =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function podErrors(before: Pod, next: Pod): FieldError[] {
  return isSame(comparable(before), comparable(next)) && keepsTolerations(before, next)
    ? []
    : [forbidden(['spec'], podFields)]
}

// What is left of a pod's spec without the fields that may change.
function comparable({ spec }: Pod): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec
  const imageless = (container: Container): unknown => ({ ...container, image: '' })
  return {
    ...rest,
    containers: spec.containers.map(imageless),
    initContainers: (spec.initContainers ?? []).map(imageless),
  }
}

function keepsTolerations(before: Pod, next: Pod): boolean {
  const list = (pod: Pod) => (pod.spec['tolerations'] ?? []) as readonly unknown[]
  const now = new Set(list(next).map(canonicalJson))
  return list(before).every((toleration) => now.has(canonicalJson(toleration)))
}

const statefulSetFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function statefulSetErrors(before: StatefulSet, next: StatefulSet): FieldError[] {
  const fixed = ({ spec }: StatefulSet) =>
    Object.entries(spec).filter(([field]) => !statefulSetFields.includes(field))
  if (isSame(Object.fromEntries(fixed(before)), Object.fromEntries(fixed(next)))) return []
  const listed = statefulSetFields.slice(0, -1).map((field) => `'${field}'`)
  const detail = `updates to statefulset spec for fields other than ${listed.join(', ')} and 'minReadySeconds' are forbidden`
  return [forbidden(['spec'], detail)]
}

function configMapErrors(before: ConfigMap, next: ConfigMap): FieldError[] {
  if (before.immutable !== true) return []
  const fields = (['immutable', 'data', 'binaryData'] as const).filter(
    (field) => !isSame(before[field], next[field]),
  )
  return fields.map((field) => forbidden([field], 'field is immutable when `immutable` is set'))
}

function secretErrors(before: Secret, next: Secret): FieldError[] {
  const type = before.type === next.type ? [] : [invalid(['type'], next.type, immutable)]
  if (before.immutable !== true) return type
  const fields = (['immutable', 'data'] as const).filter((field) => !isSame(before[field], next[field]))
  return [...type, ...fields.map((field) => forbidden([field], 'field is immutable when `immutable` is set'))]
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null)
}
