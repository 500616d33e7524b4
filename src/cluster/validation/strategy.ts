import { isRecord } from '../manifests/loose.js'
import { forbidden, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { percent } from './formats.js'
import { fields, nonNegative, textOf, type Rule } from './rules.js'
import { internalForm } from './internalForm.js'

type Values = Readonly<Record<string, unknown>>

const amount: Rule = (path, value) =>
  typeof value === 'number' ? nonNegative(path, value) : textOf(percent)(path, value)

const atMostAll: Rule = (path, value) =>
  percentOf(value) > 100 ? [invalid(path, value, 'must not be greater than 100%')] : []

function percentOf(value: unknown): number {
  return typeof value === 'string' && percent(value).length === 0 ? Number(value.slice(0, -1)) : 0
}

const isZero = (value: unknown): boolean => (typeof value === 'number' ? value : percentOf(value)) === 0

const surgeForm = { Type: '', RollingUpdate: [{ MaxUnavailable: 0, MaxSurge: 0 }] }
const partitionForm = { Type: '', RollingUpdate: [{ Partition: 0, MaxUnavailable: null }] }

/** `spec.strategy` of a Deployment (ValidateDeploymentStrategy). */
export const deploymentStrategy: Rule = (path, strategy) => {
  const { type, rolling } = parts(strategy)
  const at = [...path, 'rollingUpdate']
  if (type === 'Recreate')
    return rolling === undefined
      ? []
      : [forbidden(at, "may not be specified when strategy `type` is 'Recreate'")]
  if (type !== 'RollingUpdate') return unknown(path, strategy, ['Recreate', 'RollingUpdate'])
  const { maxUnavailable = '25%', maxSurge = '25%' } = rolling ?? {}
  return [
    ...amounts(at, rolling),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [invalid([...at, 'maxUnavailable'], maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll([...at, 'maxUnavailable'], maxUnavailable),
  ]
}

/** `spec.updateStrategy` of a DaemonSet: it has a surge, or pods that may be missing, never both. */
export const daemonSetStrategy: Rule = (path, strategy) => {
  const { type, rolling } = parts(strategy)
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') return unknown(path, strategy, ['RollingUpdate', 'OnDelete'])
  const at = [...path, 'rollingUpdate']
  const { maxUnavailable = 1, maxSurge = 0 } = rolling ?? {}
  const both = !isZero(maxUnavailable) && !isZero(maxSurge)
  const none = isZero(maxUnavailable) && isZero(maxSurge)
  return [
    ...amounts(at, rolling),
    ...atMostAll([...at, 'maxUnavailable'], maxUnavailable),
    ...atMostAll([...at, 'maxSurge'], maxSurge),
    ...(both
      ? [invalid([...at, 'maxSurge'], maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(none ? [required([...at, 'maxUnavailable'], 'cannot be 0 when maxSurge is 0')] : []),
  ]
}

/** `spec.updateStrategy` of a StatefulSet. */
export const statefulSetStrategy: Rule = (path, strategy) => {
  const { type, rolling } = parts(strategy)
  const at = [...path, 'rollingUpdate']
  const form = internalForm(partitionForm, strategy) as { RollingUpdate: unknown }
  if (type === 'OnDelete')
    return rolling === undefined
      ? []
      : [invalid(at, form.RollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
  if (type !== 'RollingUpdate') return [invalid(path, form, "must be 'RollingUpdate' or 'OnDelete'")]
  return fields({ partition: nonNegative })(at, rolling)
}

const amounts = fields({ maxUnavailable: amount, maxSurge: amount })

function parts(strategy: unknown): { type: unknown; rolling: Values | undefined } {
  const { type, rollingUpdate } = isRecord(strategy) ? strategy : {}
  return {
    type: type === undefined || type === '' ? 'RollingUpdate' : type,
    rolling: isRecord(rollingUpdate) ? rollingUpdate : undefined,
  }
}

/** The message has the whole strategy. */
function unknown(path: Path, strategy: unknown, types: readonly string[]): FieldError[] {
  const value = JSON.stringify(internalForm(surgeForm, strategy))
  const list = types.map((type) => JSON.stringify(type)).join(', ')
  const error = invalid(path, '', '')
  const head = error.message.replace(/Invalid value.*$/, '')
  return [{ ...error, message: `${head}Unsupported value: ${value}: supported values: ${list}` }]
}
