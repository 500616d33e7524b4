import type { HeaderFilter, PathModifier, RouteFilter } from '../../types/gateway.js'
import { append, invalid, oneOf, required, type FieldError, type Path } from '../fieldErrors.js'
import { validateBackend, validateHostname } from './gateway.js'
import { matching, uniqueNames, uniqueValues } from './fields.js'
import { portNumber } from '../formats.js'

const fieldOf = {
  RequestHeaderModifier: 'requestHeaderModifier',
  ResponseHeaderModifier: 'responseHeaderModifier',
  RequestMirror: 'requestMirror',
  RequestRedirect: 'requestRedirect',
  URLRewrite: 'urlRewrite',
  CORS: 'cors',
  ExternalAuth: 'externalAuth',
  ExtensionRef: 'extensionRef',
} as const
const onlyOnce = ['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestRedirect', 'URLRewrite']
const ofGrpc = ['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestMirror', 'ExtensionRef']
// The pattern of the experimental channel, for the standard one too: proxies reject other values.
const headerValue = /^[!-~]+([\t ]?[!-~]+)*$/
const headerName = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,256}$/

/** Validates the filters of a rule or a backend, by the rules of the CRDs. */
export function validateFilters(
  path: Path,
  filters: readonly RouteFilter[] = [],
  kind: 'HTTPRoute' | 'GRPCRoute',
): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, filter] of filters.entries())
    append(errors, validateFilter([...path, index], filter, kind))
  const types = filters.map(({ type }) => type)
  for (const type of onlyOnce)
    if (types.filter((one) => one === type).length > 1)
      errors.push(invalid(path, type, `${type} filter cannot be repeated`))
  if (types.includes('RequestRedirect') && types.includes('URLRewrite'))
    errors.push(
      invalid(
        path,
        types.join(','),
        'May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both',
      ),
    )
  return errors
}

function validateFilter(path: Path, filter: RouteFilter, kind: 'HTTPRoute' | 'GRPCRoute'): FieldError[] {
  const { type, requestMirror, requestRedirect, urlRewrite } = filter
  const errors = oneOf([...path, 'type'], type, kind === 'GRPCRoute' ? ofGrpc : Object.keys(fieldOf))
  const given: Readonly<Record<string, unknown>> = { ...filter }
  for (const [of, field] of Object.entries(fieldOf)) {
    const isSet = given[field] !== undefined
    if (of === type && !isSet)
      errors.push(invalid(path, type, `filter.${field} must be specified for ${of} filter.type`))
    if (of !== type && isSet)
      errors.push(invalid(path, type, `filter.${field} must be nil if the filter.type is not ${of}`))
  }
  for (const field of ['requestHeaderModifier', 'responseHeaderModifier'] as const)
    append(errors, validateHeaders([...path, field], filter[field]))
  if (requestMirror !== undefined) {
    const { backendRef, percent, fraction } = requestMirror
    const at = [...path, 'requestMirror']
    append(errors, validateBackend([...at, 'backendRef'], backendRef))
    if (percent !== undefined && fraction !== undefined)
      errors.push(
        invalid(at, percent, 'Only one of percent or fraction may be specified in HTTPRequestMirrorFilter'),
      )
    if (percent !== undefined && (percent < 0 || percent > 100))
      errors.push(invalid([...at, 'percent'], percent, 'must be between 0 and 100, inclusive'))
  }
  if (requestRedirect !== undefined) {
    const { scheme, hostname, port, statusCode, path: to } = requestRedirect
    const at = [...path, 'requestRedirect']
    append(errors, oneOf([...at, 'scheme'], scheme, ['http', 'https']))
    if (hostname !== undefined) append(errors, validateHostname([...at, 'hostname'], hostname))
    if (port !== undefined)
      for (const detail of portNumber(port)) errors.push(invalid([...at, 'port'], port, detail))
    if (statusCode !== undefined && ![301, 302, 303, 307, 308].includes(statusCode))
      errors.push(invalid([...at, 'statusCode'], statusCode, 'must be one of 301, 302, 303, 307, 308'))
    append(errors, validatePath([...at, 'path'], to))
  }
  if (urlRewrite?.hostname !== undefined)
    append(errors, validateHostname([...path, 'urlRewrite', 'hostname'], urlRewrite.hostname))
  append(errors, validatePath([...path, 'urlRewrite', 'path'], urlRewrite?.path))
  return errors
}

function validatePath(path: Path, modifier: PathModifier | undefined): FieldError[] {
  if (modifier === undefined) return []
  const { type, replaceFullPath, replacePrefixMatch } = modifier
  const errors = oneOf([...path, 'type'], type, ['ReplaceFullPath', 'ReplacePrefixMatch'])
  for (const [of, field, value] of [
    ['ReplaceFullPath', 'replaceFullPath', replaceFullPath],
    ['ReplacePrefixMatch', 'replacePrefixMatch', replacePrefixMatch],
  ] as const) {
    if (type === of && value === undefined)
      errors.push(invalid(path, type, `${field} must be specified when type is set to '${of}'`))
    if (type !== of && value !== undefined)
      errors.push(invalid(path, type, `type must be '${of}' when ${field} is set`))
  }
  return errors
}

function validateHeaders(path: Path, headers: HeaderFilter | undefined): FieldError[] {
  const errors: FieldError[] = []
  const check = (at: Path, name: string) => {
    if (name === '') errors.push(required(at))
    else if (!headerName.test(name)) errors.push(invalid(at, name, 'must be the name of a header'))
  }
  for (const field of ['set', 'add'] as const) {
    for (const [index, { name, value }] of (headers?.[field] ?? []).entries()) {
      check([...path, field, index, 'name'], name)
      append(errors, matching([...path, field, index, 'value'], value, headerValue))
    }
    append(errors, uniqueNames([...path, field], headers?.[field]))
  }
  for (const [index, name] of (headers?.remove ?? []).entries()) check([...path, 'remove', index], name)
  append(errors, uniqueValues([...path, 'remove'], headers?.remove))
  return errors
}
