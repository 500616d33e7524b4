import { systemPriorities } from '../defaults/pod.js'
import { ageColumn, column, nameColumn } from '../columns/column.js'
import { bool, int32, string, stringType } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { KubeObject } from '../types.js'
import { forbidden, oneOf } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'
import { dnsSubdomain } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { immutableField } from '../validation/update.js'
import { defineKind } from './kind.js'

interface PriorityClass extends KubeObject {
  kind: 'PriorityClass'
  /** Absent means 0. */
  value?: number
  globalDefault?: boolean
  description?: string
  preemptionPolicy?: string
}

const highestUserDefined = 1_000_000_000

const systemPrefix = 'system-'

/** PriorityClass of scheduling.k8s.io/v1, which is stored and gives no pod a priority; columns as printPriorityClass of Kubernetes v1.36 writes them. */
export const priorityClass = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  list: 'priorityClasses',
  schema: objectSchema('PriorityClass', {
    value: int32,
    globalDefault: bool,
    description: string,
    preemptionPolicy: stringType('PreemptionPolicy'),
  }),
  setDefaults: (written) => ({ preemptionPolicy: 'PreemptLowerPriority', value: 0, ...written }),
  validate,
  validateUpdate: (before, next) => [
    ...(valueOf(before) === valueOf(next) ? [] : [forbidden(['value'], 'may not be changed in an update.')]),
    ...immutableField(['preemptionPolicy'])(before, next),
  ],
  blank: { value: 0 },
  columns: [
    nameColumn,
    column('Value', 'priority of the pods of the class', valueOf, 'integer'),
    column(
      'Global-Default',
      'whether pods without a class get this one',
      ({ globalDefault = false }) => globalDefault,
      'boolean',
    ),
    ageColumn,
    column(
      'PreemptionPolicy',
      'whether its pods preempt pods of lower priority',
      ({ preemptionPolicy = '' }) => preemptionPolicy,
    ),
  ],
})

function valueOf({ value = 0 }: PriorityClass): number {
  return value
}

/** Validates a PriorityClass (ValidatePriorityClass). */
function validate(object: PriorityClass): FieldError[] {
  const { metadata, preemptionPolicy } = object
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...(metadata.name.startsWith(systemPrefix) ? systemProblems(object) : []),
    ...(!metadata.name.startsWith(systemPrefix) && valueOf(object) > highestUserDefined
      ? [forbidden(['value'], `maximum allowed value of a user defined priority is ${highestUserDefined}`)]
      : []),
    ...oneOf(['preemptionPolicy'], preemptionPolicy, ['Never', 'PreemptLowerPriority']),
  ]
}

/** A class with the prefix of the system is exactly one that the API server creates (IsKnownSystemPriorityClass). */
function systemProblems(object: PriorityClass): FieldError[] {
  const { metadata, globalDefault = false } = object
  const { name } = metadata
  const value = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined
  const problem =
    value === undefined
      ? `${name} is not a known system priority class`
      : valueOf(object) !== value
        ? `value of ${name} PriorityClass must be ${value}`
        : globalDefault
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined
  const reserved = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: `
  return problem === undefined ? [] : [forbidden(['metadata', 'name'], reserved + problem)]
}
