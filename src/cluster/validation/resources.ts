import { isRecord, text } from '../manifests/loose.js'
import { quantityValue } from '../quantity.js'
import { invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { qualifiedName } from './formats.js'

const ofContainers = ['cpu', 'ephemeral-storage', 'memory']

/** Names without a prefix that quotas and nodes have, and containers have not. */
const ofOthers = [
  ...ofContainers.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...['configmaps', 'persistentvolumeclaims', 'pods', 'replicationcontrollers', 'resourcequotas', 'secrets'],
  ...['services', 'services.loadbalancers', 'services.nodeports', 'requests.storage', 'storage'],
]

/** Validates requests and limits of a container or pod (ValidateResourceRequirements). */
export function validateResources(path: Path, value: unknown): FieldError[] {
  if (!isRecord(value)) return []
  const [limits, requests] = [amounts(value['limits']), amounts(value['requests'])]
  return [
    ...limits.flatMap(([name, amount]) => validateAmount([...path, 'limits'], name, amount)),
    ...requests.flatMap(([name, amount]) => [
      ...validateAmount([...path, 'requests'], name, amount),
      ...withinLimit(path, name, amount, limits.find(([limit]) => limit === name)?.[1]),
    ]),
  ]
}

// Go's order is random.
function amounts(value: unknown): (readonly [string, string])[] {
  return Object.entries(isRecord(value) ? value : {})
    .map(([name, amount]) => [name, text(amount)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function validateAmount(path: Path, name: string, amount: string): FieldError[] {
  const errors = validateName(path, name)
  const number = quantityValue(amount) ?? 0
  if (number < 0) errors.push(atName(path, name, amount, 'must be greater than or equal to 0'))
  if (isExtended(name) && !Number.isInteger(number))
    errors.push(atName(path, name, amount, 'must be an integer'))
  return errors
}

function validateName(path: Path, name: string): FieldError[] {
  const details = qualifiedName(name)
  if (name.includes('/') || details.length > 0)
    return details.map((detail) => atName(path, name, name, detail))
  if (ofContainers.includes(name) || name.startsWith('hugepages-')) return []
  const general = ofOthers.includes(name) ? [] : ['must be a standard resource type or fully qualified']
  return [...general, 'must be a standard resource for containers'].map((detail) =>
    atName(path, name, name, detail),
  )
}

function withinLimit(path: Path, name: string, amount: string, limit: string | undefined): FieldError[] {
  const exact = isExtended(name) || name.startsWith('hugepages-')
  if (limit === undefined)
    return exact ? [required([...path, 'limits'], 'Limit must be set for non overcommitable resources')] : []
  const [wanted, most] = [quantityValue(amount) ?? 0, quantityValue(limit) ?? 0]
  if (exact ? wanted === most : wanted <= most) return []
  const relation = exact ? 'equal to' : 'less than or equal to'
  return [invalid([...path, 'requests'], amount, `must be ${relation} ${name} limit of ${limit}`)]
}

/** A resource of a device plugin, counted in whole numbers. */
function isExtended(name: string): boolean {
  return name.includes('/') && !/(^|\.)kubernetes\.io\//.test(name)
}

function atName(path: Path, name: string, value: string, detail: string): FieldError {
  const error = invalid(path, value, detail)
  return { ...error, path: [...path, name], message: error.message.replace(': ', () => `[${name}]: `) }
}
