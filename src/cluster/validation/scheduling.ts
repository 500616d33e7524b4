import { isRecord, records, text } from '../manifests/loose.js'
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './formats.js'
import { validateSelector } from './metadata.js'
import { all, each, fields, filled, number, positive, supported, textOf, type Rule } from './rules.js'

const labelName = textOf(qualifiedName)

const labelSelector: Rule = (path, value) => (isRecord(value) ? validateSelector(path, value) : [])

const weight = number((value) => value >= 1 && value <= 100, 'must be in the range 1-100')

const operators: Readonly<Record<string, (values: number) => string | undefined>> = {
  In: (values) => (values === 0 ? "must be specified when `operator` is 'In' or 'NotIn'" : undefined),
  Gt: (values) =>
    values === 1 ? undefined : "must be specified single value when `operator` is 'Lt' or 'Gt'",
}

const nodeRequirement: Rule = (path, value) => {
  if (!isRecord(value)) return []
  const operator = text(value['operator'])
  const values = Array.isArray(value['values']) ? value['values'].length : 0
  const missing = operators[operator.replace('NotIn', 'In').replace('Lt', 'Gt')]?.(values)
  const at = [...path, 'values']
  return [
    ...(['Exists', 'DoesNotExist'].includes(operator) && values > 0
      ? [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
      : []),
    ...(missing === undefined ? [] : [required(at, missing)]),
    ...knownOperator(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'])([...path, 'operator'], operator),
    ...labelName([...path, 'key'], value['key']),
  ]
}

const nodeField: Rule = (path, value) => {
  if (!isRecord(value)) return []
  const { key, operator, values } = value
  const isIn = operator === 'In' || operator === 'NotIn'
  const one = Array.isArray(values) && values.length === 1
  return [
    ...(isIn && !one
      ? [
          required(
            [...path, 'values'],
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ]
      : []),
    ...knownOperator(['In', 'NotIn'])([...path, 'operator'], operator),
    ...(key === 'metadata.name'
      ? each(textOf(dnsSubdomain))([...path, 'values'], values)
      : [invalid([...path, 'key'], key, 'not a valid field selector key')]),
  ]
}

function knownOperator(known: readonly string[]): Rule {
  return (path, value) =>
    known.includes(text(value)) ? [] : [invalid(path, value, 'not a valid selector operator')]
}

/** A preference may have any values, a requirement only those that a label can have. */
const nodeTerm = (requirement: Rule): Rule =>
  fields({ matchExpressions: each(requirement), matchFields: each(nodeField) })

const labelValues = fields({ values: each(textOf(labelValue)) })

const nodeAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: fields({
    nodeSelectorTerms: all(
      (path, value) =>
        records(value).length === 0 ? [required(path, 'must have at least one node selector term')] : [],
      each(nodeTerm(all(nodeRequirement, labelValues))),
    ),
  }),
  preferredDuringSchedulingIgnoredDuringExecution: each(
    fields({ weight, preference: nodeTerm(nodeRequirement) }),
  ),
})

const podTerm: Rule = all(
  fields({ labelSelector, namespaceSelector: labelSelector }),
  (path, value) =>
    // the error has the name of another field
    isRecord(value) && Array.isArray(value['namespaces'])
      ? value['namespaces'].flatMap((name) => textOf(dnsLabel)([...path, 'namespace'], name))
      : [],
  fields({
    matchLabelKeys: each(labelName),
    mismatchLabelKeys: each(labelName),
    topologyKey: all(filled('can not be empty'), labelName),
  }),
)

const podAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: each(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: each(fields({ weight, podAffinityTerm: podTerm })),
})

/** Where a pod may run, and beside what (validateAffinity). */
export const affinity: Rule = fields({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity })

const nodePolicy = supported(['Honor', 'Ignore'])

const constraint = fields({
  maxSkew: positive,
  topologyKey: filled('can not be empty'),
  whenUnsatisfiable: supported(['DoNotSchedule', 'ScheduleAnyway']),
})

const constraintEnd = fields({ nodeAffinityPolicy: nodePolicy, nodeTaintsPolicy: nodePolicy })

/** How pods are spread over zones or nodes (validateTopologySpreadConstraints). */
export const topologySpread: Rule = (path, list) => {
  const all = records(list)
  return all.flatMap((one, index) => {
    const at = [...path, index]
    const pair = ({ topologyKey, whenUnsatisfiable }: Record<string, unknown>) =>
      `{${text(topologyKey)}, ${text(whenUnsatisfiable)}}`
    const repeated = all.slice(index + 1).some((other) => pair(other) === pair(one))
    return [
      ...constraint(at, one),
      ...(repeated ? [duplicate([...at, '{topologyKey, whenUnsatisfiable}'], pair(one))] : []),
      ...minDomains([...at, 'minDomains'], one['minDomains'], text(one['whenUnsatisfiable'])),
      ...constraintEnd(at, one),
      ...matchLabelKeys([...at, 'matchLabelKeys'], one['matchLabelKeys'], one['labelSelector']),
      ...labelSelector([...at, 'labelSelector'], one['labelSelector']),
    ]
  })
}

function minDomains(path: readonly (string | number)[], value: unknown, action: string): FieldError[] {
  if (value === undefined) return []
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`
  return [...positive(path, value), ...(action === 'DoNotSchedule' ? [] : [invalid(path, value, detail)])]
}

function matchLabelKeys(path: readonly (string | number)[], keys: unknown, selector: unknown): FieldError[] {
  if (!Array.isArray(keys) || keys.length === 0) return []
  const { matchLabels, matchExpressions } = isRecord(selector) ? selector : {}
  const selected = [
    ...Object.keys(isRecord(matchLabels) ? matchLabels : {}),
    ...records(matchExpressions).map(({ key }) => key),
  ]
  return [
    ...(selector === undefined
      ? [forbidden(path, 'must not be specified when labelSelector is not set')]
      : []),
    ...keys.flatMap((key: unknown, index) => [
      ...labelName([...path, index], key),
      ...(selected.includes(key)
        ? [invalid([...path, index], key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ]
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** The taints that a pod tolerates (ValidateTolerations). */
export const tolerations: Rule = each((path, value) => {
  if (!isRecord(value)) return []
  const [key, operator, taint, effect] = ['key', 'operator', 'value', 'effect'].map((field) =>
    text(value[field]),
  ) as [string, string, string, string]
  const at = [...path, 'operator']
  const errors: FieldError[] = key === '' ? [] : labelName([...path, 'key'], key)
  if (key === '' && operator !== 'Exists')
    errors.push(
      invalid(
        at,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    )
  if (value['tolerationSeconds'] !== undefined && effect !== 'NoExecute')
    errors.push(
      invalid([...path, 'effect'], effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    )
  if (operator === 'Equal' || operator === '') {
    const details = labelValue(taint)
    if (details.length > 0) errors.push(invalid(at, taint, details.join(';')))
  } else if (operator === 'Exists') {
    if (taint !== '') errors.push(invalid(at, taint, "value must be empty when `operator` is 'Exists'"))
  } else {
    const comparing = ['Lt', 'Gt']
    errors.push(
      comparing.includes(operator)
        ? // the list of the API server has them all the same
          {
            ...notSupported(at, operator, ['Equal', 'Exists', ...comparing]),
            hint: 'only with the feature gate TaintTolerationComparisonOperators',
          }
        : notSupported(at, operator, ['Equal', 'Exists']),
    )
  }
  if (effect !== '') errors.push(...supported(effects)([...path, 'effect'], effect))
  return errors
})

/** Gates that hold a pod back from the scheduler. */
export const schedulingGates: Rule = (path, value) =>
  records(value).flatMap(({ name }, index, gates) => [
    ...labelName([...path, index], name),
    ...(gates.findIndex((gate) => gate['name'] === name) < index ? [duplicate([...path, index], name)] : []),
  ])
