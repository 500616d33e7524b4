import { isRecord } from '../manifests/loose.js'

/**
 * The Go type in which the API server holds a value: a zero value, a struct by its Go names, a list, map or pointer
 * of it (null when absent), or a function that orders the fields of a type with JSON names.
 */
export type Form =
  | string
  | number
  | boolean
  | null
  | readonly Form[]
  | { readonly [name: string]: Form }
  | ((value: unknown) => unknown)

/** A value as JSON of Kubernetes' internal types, which have no JSON names: some messages contain it. */
export function internalForm(form: Form, value: unknown): unknown {
  if (typeof form === 'function') return form(value)
  if (isList(form)) {
    const [of = null] = form
    if (Array.isArray(value)) return value.map((item) => internalForm(of, item))
    return value === undefined ? null : internalForm(of, value)
  }
  if (typeof form === 'object' && form !== null) {
    const fields = isRecord(value) ? value : {}
    return Object.fromEntries(
      Object.entries(form).map(([name, inner]) => [name, internalForm(inner, fields[jsonName(name)])]),
    )
  }
  // Go prints maps in the order of their keys.
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : (value ?? form)
}

/** The form of a pointer to a struct whose absent fields are not printed, with JSON names in this order. */
export function inOrder(names: readonly string[]): Form {
  return (value) => {
    if (!isRecord(value)) return null
    return Object.fromEntries(
      names.flatMap((name) => (name in value ? [[name, internalForm(null, value[name])]] : [])),
    )
  }
}

function isList(form: Form): form is readonly Form[] {
  return Array.isArray(form)
}

// DNSPolicy is dnsPolicy, TTY is tty.
function jsonName(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase())
}
