import type { KubeObject } from '../cluster/types.js'
import type { Resource } from './resources.js'
import { badRequest } from './status.js'

/** Whether a field selector matches an object. */
export type FieldPredicate = (object: KubeObject) => boolean

/**
 * Parses a field selector (`a=b,c==d,e!=f`; a backslash escapes comma, equals sign and backslash) against the labels
 * that a resource supports, as fields.ParseSelector of apimachinery does; throws a 400 Status when it is invalid.
 */
export function parseFieldSelector(text: string, resource: Resource): FieldPredicate {
  const terms = splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text, resource))
  return (object) => terms.every((matches) => matches(object))
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []
}

function parseTerm(term: string, whole: string, resource: Resource): FieldPredicate {
  const match = /^((?:\\.|[^\\=!]|!(?!=))*?)(!=|==|=)(.*)$/s.exec(term)
  if (match === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
  const [, field = '', operator = '', escaped = ''] = match
  const wanted = unescapeValue(escaped)
  const read = reader(field, resource)
  return operator === '!=' ? (object) => read(object) !== wanted : (object) => read(object) === wanted
}

function unescapeValue(text: string): string {
  const invalid = /\\(?![\\,=])|(?<!\\)=/.exec(text.replaceAll('\\\\', '  '))
  if (invalid !== null)
    throw badRequest(`invalid field selector: value '${text}' needs its '${invalid[0]}' escaped`)
  return text.replace(/\\([\\,=])/g, '$1')
}

function reader(field: string, resource: Resource): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name
  if (field === 'metadata.namespace' && resource.namespaced)
    return (object) => object.metadata.namespace ?? ''
  const fallback = Object.hasOwn(resource.fields, field) ? resource.fields[field] : undefined
  if (fallback === undefined) throw badRequest(`field label not supported: ${field}`)
  const path = field.split('.')
  return (object) => textAt(object, path) ?? fallback
}

function textAt(root: unknown, path: readonly string[]): string | undefined {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
