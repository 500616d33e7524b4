import type {
  GatewayRoute,
  GRPCRoute,
  HTTPRoute,
  HTTPRouteRule,
  NameValueMatch,
  ParentReference,
  TLSRoute,
} from '../../types/gateway.js'
import { addressFamily } from '../../../net/ranges.js'
import { append, invalid, oneOf, required, tooFew, tooMany } from '../fieldErrors.js'
import type { FieldError, Path } from '../fieldErrors.js'
import { dnsSubdomain, portNumber } from '../formats.js'
import { validateBackend, validateHostname } from './gateway.js'
import { uniqueNames, validateGroupKind } from './fields.js'
import { validateFilters } from './filter.js'
import { validateMetadata } from '../metadata.js'

const maxPerList = 16
const maxParents = 32
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']
const matchTypes = ['Exact', 'RegularExpression']
const tokenPattern = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,256}$/
const durationPattern = /^([0-9]{1,5}(h|m|s|ms)){1,4}$/
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F', '#']
const forbiddenEnds = ['/..', '/.']
const pathPattern = /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$/

/** Validates an HTTPRoute by the schema and rules of its CRD. */
export function validateHttpRoute(route: HTTPRoute): FieldError[] {
  const errors = validateRoute(route)
  for (const [index, rule] of (route.spec.rules ?? []).entries())
    append(errors, validateHttpRule(['spec', 'rules', index], rule))
  return errors
}

/** Validates a GRPCRoute by the schema and rules of its CRD. */
export function validateGrpcRoute(route: GRPCRoute): FieldError[] {
  const errors = validateRoute(route)
  for (const [index, rule] of (route.spec.rules ?? []).entries()) {
    const path = ['spec', 'rules', index]
    append(errors, validateFilters([...path, 'filters'], rule.filters, 'GRPCRoute'))
    for (const [number, { method, headers }] of (rule.matches ?? []).entries()) {
      const at = [...path, 'matches', number]
      append(errors, validateMatches([...at, 'headers'], headers))
      if (method === undefined) continue
      append(errors, oneOf([...at, 'method', 'type'], method.type, matchTypes))
      if ((method.service ?? '') === '' && (method.method ?? '') === '')
        errors.push(
          invalid([...at, 'method'], method, "One or both of 'service' or 'method' must be specified"),
        )
    }
  }
  return errors
}

/**
 * Validates a TLSRoute by the schema and rules of its CRD in its written version: v1 and v1alpha3 require host names and
 * one rule, in v1alpha2 host names are optional and rules may be several.
 */
export function validateTlsRoute(route: TLSRoute): FieldError[] {
  const { hostnames, rules } = route.spec
  const isOld = route.apiVersion?.endsWith('/v1alpha2') === true
  const isAddress = (hostname: string) => addressFamily(hostname) !== undefined
  const nameErrors = (path: Path, name: string) => (isAddress(name) ? [] : validateHostname(path, name))
  const errors = isOld ? validateRoute(route) : validateRoute(route, 1, nameErrors)
  if (!isOld) append(errors, atLeastOne(['spec', 'hostnames'], hostnames))
  if (!isOld && hostnames?.some(isAddress) === true)
    errors.push(invalid(['spec', 'hostnames'], hostnames, 'Hostnames cannot contain an IP'))
  append(errors, atLeastOne(['spec', 'rules'], rules))
  for (const [index, { backendRefs }] of (rules ?? []).entries())
    append(errors, atLeastOne(['spec', 'rules', index, 'backendRefs'], backendRefs))
  return errors
}

/** A required list that may not be empty. */
function atLeastOne(path: Path, list: readonly unknown[] | undefined): FieldError[] {
  if (list === undefined) return [required(path)]
  return list.length === 0 ? [tooFew(path, 0, 1)] : []
}

function validateRoute(
  { kind, metadata, spec }: GatewayRoute,
  maxRules = maxPerList,
  nameErrors = validateHostname,
): FieldError[] {
  const { hostnames = [], parentRefs = [], rules = [] } = spec
  const errors = validateMetadata(metadata, dnsSubdomain)
  for (const [field, list, most] of [
    ['hostnames', hostnames, maxPerList],
    ['parentRefs', parentRefs, maxParents],
    ['rules', rules, maxRules],
  ] as const)
    if (list.length > most) errors.push(tooMany(['spec', field], list.length, most))
  for (const [index, hostname] of hostnames.entries())
    append(errors, nameErrors(['spec', 'hostnames', index], hostname))
  append(errors, validateParents(['spec', 'parentRefs'], parentRefs))
  for (const [index, { backendRefs = [] }] of rules.entries())
    for (const [number, backend] of backendRefs.entries()) {
      const path = ['spec', 'rules', index, 'backendRefs', number]
      append(errors, validateBackend(path, backend))
      const { weight = 1 } = backend
      if (weight < 0 || weight > 1_000_000)
        errors.push(invalid([...path, 'weight'], weight, 'must be between 0 and 1000000, inclusive'))
      append(
        errors,
        validateFilters([...path, 'filters'], backend.filters, kind === 'GRPCRoute' ? kind : 'HTTPRoute'),
      )
    }
  return errors
}

/** Several references to the same parent must select different listeners. */
function validateParents(path: Path, refs: readonly ParentReference[]): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Map<string, ParentReference>()
  for (const [index, ref] of refs.entries()) {
    const { name, port } = ref
    if (name === '') errors.push(required([...path, index, 'name']))
    append(errors, validateGroupKind([...path, index], ref))
    if (port !== undefined)
      for (const detail of portNumber(port)) errors.push(invalid([...path, index, 'port'], port, detail))
    const key = JSON.stringify([ref.group, ref.kind, ref.namespace, name])
    const earlier = seen.get(key)
    seen.set(key, ref)
    if (earlier === undefined) continue
    if (isWhole(earlier) || isWhole(ref))
      errors.push(
        invalid(
          path,
          name,
          'sectionName or port must be specified when parentRefs includes 2 or more references to the same parent',
        ),
      )
    else if (earlier.sectionName === ref.sectionName && earlier.port === port)
      errors.push(
        invalid(
          path,
          name,
          'sectionName or port must be unique when parentRefs includes 2 or more references to the same parent',
        ),
      )
  }
  return errors
}

function isWhole({ sectionName, port }: ParentReference): boolean {
  return sectionName === undefined && port === undefined
}

function validateHttpRule(path: Path, rule: HTTPRouteRule): FieldError[] {
  const { matches = [], filters = [], backendRefs = [], timeouts } = rule
  const errors = validateFilters([...path, 'filters'], filters, 'HTTPRoute')
  for (const [index, match] of matches.entries()) {
    const at = [...path, 'matches', index]
    append(errors, oneOf([...at, 'path', 'type'], match.path?.type, [...matchTypes, 'PathPrefix']))
    for (const detail of pathProblems(match.path))
      errors.push(invalid([...at, 'path', 'value'], match.path?.value, detail))
    append(errors, oneOf([...at, 'method'], match.method, methods))
    append(errors, validateMatches([...at, 'headers'], match.headers))
    append(errors, validateMatches([...at, 'queryParams'], match.queryParams))
  }
  if (filters.some(({ type }) => type === 'RequestRedirect') && backendRefs.length > 0)
    errors.push(
      invalid(path, 'RequestRedirect', 'RequestRedirect filter must not be used together with backendRefs'),
    )
  const replaces = filters.some(
    ({ urlRewrite, requestRedirect }) =>
      (urlRewrite?.path ?? requestRedirect?.path)?.type === 'ReplacePrefixMatch',
  )
  if (replaces && (matches.length !== 1 || matches[0]?.path?.type !== 'PathPrefix'))
    errors.push(
      invalid(
        path,
        'ReplacePrefixMatch',
        'When using a filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified',
      ),
    )
  for (const [field, value] of Object.entries(timeouts ?? {}))
    if (!durationPattern.test(value))
      errors.push(invalid([...path, 'timeouts', field], value, `must match ${durationPattern.source}`))
  const [request, backend] = [timeouts?.request, timeouts?.backendRequest].map(milliseconds)
  if (request !== undefined && backend !== undefined && request !== 0 && backend > request)
    errors.push(
      invalid(
        [...path, 'timeouts'],
        timeouts,
        'backendRequest timeout cannot be longer than request timeout',
      ),
    )
  return errors
}

/** A duration of the Gateway API (`1h30m`, `500ms`) in milliseconds; undefined when it is invalid. */
export function milliseconds(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  return [...duration.matchAll(/(\d+)(ms|h|m|s)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  )
}

function pathProblems({ type, value = '/' }: { type?: string; value?: string } = {}): string[] {
  if (type === 'RegularExpression') return []
  return [
    ...(value.startsWith('/')
      ? []
      : ["value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']"]),
    ...forbiddenSequences
      .filter((sequence) => value.includes(sequence))
      .map((sequence) => `must not contain '${sequence}' when type one of ['Exact', 'PathPrefix']`),
    ...forbiddenEnds
      .filter((end) => value.endsWith(end))
      .map((end) => `must not end with '${end}' when type one of ['Exact', 'PathPrefix']`),
    ...(pathPattern.test(value)
      ? []
      : [
          `must only contain valid characters (matching ${pathPattern.source}) for types ['Exact', 'PathPrefix']`,
        ]),
  ]
}

function validateMatches(path: Path, matches: readonly NameValueMatch[] = []): FieldError[] {
  const errors: FieldError[] = matches.length > maxPerList ? [tooMany(path, matches.length, maxPerList)] : []
  for (const [index, { type, name, value }] of matches.entries()) {
    append(errors, oneOf([...path, index, 'type'], type, matchTypes))
    if (!tokenPattern.test(name))
      errors.push(invalid([...path, index, 'name'], name, 'must be the name of a header or parameter'))
    if (value === '') errors.push(required([...path, index, 'value']))
  }
  return [...errors, ...uniqueNames(path, matches)]
}
