import { canonicalJson } from '../hash.js'
import type { Container, KubeObject, Pod, StatefulSet } from '../types.js'
import { forbidden, invalid } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'

/** The errors of an update, besides those of the object itself. */
export type ValidateUpdate<Of extends KubeObject = KubeObject> = (before: Of, next: Of) => FieldError[]

/** Rejects changes of a field. */
export function immutableField(path: readonly string[], detail = 'field is immutable'): ValidateUpdate {
  return (before, next) => {
    const value = valueAt(next, path)
    return isSame(valueAt(before, path), value) ? [] : [invalid(path, value, detail)]
  }
}

/** Rejects changes of these fields when `immutable` is set. */
export function immutableData(fields: readonly string[]): ValidateUpdate {
  return (before, next) =>
    fields
      .filter(() => valueAt(before, ['immutable']) === true)
      .filter((field) => !isSame(valueAt(before, [field]), valueAt(next, [field])))
      .map((field) => forbidden([field], 'field is immutable when `immutable` is set'))
}

const podFields =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Allows changes of only a few fields of an existing pod (ValidatePodUpdate). */
export function validatePodUpdate(before: Pod, next: Pod): FieldError[] {
  return isSame(comparable(before), comparable(next)) && keepsTolerations(before, next)
    ? []
    : [forbidden(['spec'], podFields)]
}

// A pod's spec without the fields that may change.
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

/** Allows changes of only a few fields of a StatefulSet (ValidateStatefulSetUpdate). */
export function validateStatefulSetUpdate(before: StatefulSet, next: StatefulSet): FieldError[] {
  const fixed = ({ spec }: StatefulSet) =>
    Object.entries(spec).filter(([field]) => !statefulSetFields.includes(field))
  if (isSame(Object.fromEntries(fixed(before)), Object.fromEntries(fixed(next)))) return []
  const listed = statefulSetFields.slice(0, -1).map((field) => `'${field}'`)
  const detail = `updates to statefulset spec for fields other than ${listed.join(', ')} and 'minReadySeconds' are forbidden`
  return [forbidden(['spec'], detail)]
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], root)
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null)
}
