import { isRecord } from '../manifests/loose.js'
import { dumpedQuantity } from './goQuantity.js'
import { goStructs, type GoField } from './goStructs.js'

const packages: Readonly<Record<string, string>> = {
  ...{ string: '', bool: '', int32: '', int64: '' },
  ...{ Quantity: 'resource.', IntOrString: 'intstr.', UID: 'types.' },
}

/** The text that Kubernetes hashes of a value: what spew prints for `%#v` (dump.ForHash of k8s.io/utils). */
export function goDump(type: string, value: unknown): string {
  return `(${goName(type)})${contents(type, value)}`
}

function goName(type: string): string {
  const [, prefix = '', name = ''] = /^((?:\*|\[\]|map\[string\])*)(.*)$/.exec(type) ?? []
  return `${prefix}${packages[name] ?? 'v1.'}${name}`
}

function contents(type: string, value: unknown): string {
  if (type.startsWith('*')) return isUnset(value) ? nil : contents(type.slice(1), value)
  if (type.startsWith('[]')) return dumpedList(type.slice(2), value)
  if (type.startsWith('map[string]')) return dumpedMap('string', value)
  switch (type) {
    case 'ResourceList':
      return dumpedMap('Quantity', value)
    case 'Quantity':
      return dumpedQuantity(value)
    case 'IntOrString':
      return dumpedIntOrString(value)
    case 'Time':
      // of the metadata of a template, which has none
      return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}'
    case 'bool':
      return scalar(value, 'false')
    case 'int32':
    case 'int64':
      return scalar(value, '0')
  }
  const fields = goStructs.get(type)
  return fields === undefined ? scalar(value, '') : dumpedStruct(fields, isRecord(value) ? value : {})
}

const nil = '<nil>'

function isUnset(value: unknown): boolean {
  return value === undefined || value === null
}

function dumpedStruct(fields: readonly GoField[], value: Readonly<Record<string, unknown>>): string {
  const dumped = fields.map(
    ({ name, json, type }) => `${name}:${goDump(type, json === undefined ? value : value[json])}`,
  )
  return `{${dumped.join(' ')}}`
}

/** Empty lists and maps are nil: the controllers read objects as protobuf, which has no empty ones. */
function dumpedList(type: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return nil
  return `[${value.map((item: unknown) => contents(type, item)).join(' ')}]`
}

function dumpedMap(type: string, value: unknown): string {
  const entries = isRecord(value) ? Object.entries(value) : []
  if (entries.length === 0) return nil
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `map[${sorted.map(([key, item]) => `${key}:${contents(type, item)}`).join(' ')}]`
}

function dumpedIntOrString(value: unknown): string {
  const isText = typeof value === 'string'
  const [type, number, text] = isText ? [1, '0', value] : [0, scalar(value, '0'), '']
  return `{Type:(intstr.Type)${type} IntVal:(int32)${number} StrVal:(string)${text}}`
}

function scalar(value: unknown, zero: string): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : zero
}
