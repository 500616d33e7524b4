import { joinHostPort } from '../../net/socketText.js'
import { createHash } from 'node:crypto'
import type {
  Forward,
  HeaderModifier,
  PathMatch,
  PathRewrite,
  Redirect,
  Route,
  WeightedBackend,
} from '../model.js'
import { elementCount, pathPattern, withoutEndSlashes } from '../pathPattern.js'
import { bodyLimit } from './bodyLimit.js'
import { formatPath, formatText, type Line, type Section } from './section.js'

/** The section that forwards requests of a route to one of its backends. */
export function backendSection(route: Route, backend: WeightedBackend, name: string, mark: string): Section {
  const { endpoints, protocol } = backend
  if (endpoints.length === 0)
    return respondingSection(route, name, [
      ['http-request', 'return', 'status', backend.unresolvedStatus ?? 503],
    ])
  const { affinity } = route.action as Forward
  const how = {
    HTTP: [],
    H2C: ['proto', 'h2'],
    GRPC: ['proto', 'h2'],
    HTTPS: ['ssl', 'verify', 'none', 'sni', 'var(txn.host)'],
    GRPCS: ['ssl', 'verify', 'none', 'sni', 'var(txn.host)', 'alpn', 'h2'],
  }[protocol]
  return {
    head: ['backend', name],
    lines: [
      ...admission(route, protocol === 'GRPC' || protocol === 'GRPCS'),
      ...timeouts(route),
      ...hostLine(route.rewrite?.hostname),
      ...pathLines(route.path, route.rewrite?.path),
      ...[route.requestHeaders, backend.requestHeaders].flatMap((modifier) =>
        headerLines('request', modifier),
      ),
      ...[route.responseHeaders, backend.responseHeaders].flatMap((modifier) =>
        headerLines('after-response', modifier),
      ),
      ...(affinity === undefined
        ? []
        : [['cookie', affinity.cookie, 'insert', 'indirect', 'nocache', 'httponly']]),
      ...endpoints.map(({ address, port }, index) => [
        'server',
        `endpoint_${index}`,
        joinHostPort(address, port),
        ...how,
        ...(affinity === undefined ? [] : ['cookie', `${mark}${endpointMark(`${address} ${port}`)}`]),
      ]),
    ],
  }
}

/** The section of a route to which the proxy responds itself. */
export function unservedSection(route: Route, name: string): Section {
  const { action } = route
  if (action.kind === 'redirect') return respondingSection(route, name, redirectLines(route.path, action))
  if (action.kind === 'respond')
    return respondingSection(route, name, [['http-request', 'return', 'status', action.status]])
  const status = action.backends.find(
    ({ unresolvedStatus }) => unresolvedStatus !== undefined,
  )?.unresolvedStatus
  return respondingSection(route, name, [['http-request', 'return', 'status', status ?? 503]])
}

function respondingSection(route: Route, name: string, lines: readonly Line[]): Section {
  return {
    head: ['backend', name],
    lines: [...admission(route), ...headerLines('after-response', route.responseHeaders), ...lines],
  }
}

/** Allowed clients, the limit of the body, and the route's name for the log. */
function admission({ id, allowFrom, maxBodyBytes }: Route, isStream = false): Line[] {
  return [
    ...(id === '' ? [] : [['http-request', 'set-var-fmt(txn.route)', formatText(id)]]),
    ...(allowFrom ?? []).map((range) => ['acl', 'allowed', 'src', range]),
    ...(allowFrom === undefined
      ? []
      : [
          [
            'http-request',
            'deny',
            'deny_status',
            403,
            ...(allowFrom.length > 0 ? ['unless', 'allowed'] : []),
          ],
        ]),
    ...(maxBodyBytes === undefined ? [] : bodyLimit(maxBodyBytes, isStream)),
  ]
}

function timeouts({ timeouts }: Route): Line[] {
  const limit = timeouts?.backendRequestMs ?? timeouts?.requestMs
  return limit === undefined ? [] : ['connect', 'server'].map((part) => ['timeout', part, `${limit}ms`])
}

function hostLine(hostname: string | undefined): Line[] {
  return hostname === undefined ? [] : [['http-request', 'set-header', 'Host', formatText(hostname)]]
}

function headerLines(when: 'request' | 'after-response', modifier: HeaderModifier | undefined): Line[] {
  if (modifier === undefined) return []
  const line = (verb: string, name: string, value?: string) => [
    `http-${when}`,
    `${verb}-header`,
    name,
    ...(value === undefined ? [] : [formatText(value)]),
  ]
  return [
    // HAProxy has no headers with an empty value
    ...modifier.set.map(({ name, value }) => (value === '' ? line('del', name) : line('set', name, value))),
    ...modifier.add.filter(({ value }) => value !== '').map(({ name, value }) => line('add', name, value)),
    ...modifier.remove.map((name) => line('del', name)),
  ]
}

/** The path keeps the encoding of the client; a prefix is replaced by its number of elements. */
function pathLines(match: PathMatch, path: PathRewrite | undefined): Line[] {
  if (path === undefined) return []
  const { type } = path
  const value = path.value.startsWith('/') ? path.value : `/${path.value}`
  if (type === 'Full') return [['http-request', 'set-path', formatPath(value)]]
  if (type === 'Regex') return [['http-request', 'replace-path', `^${pathPattern(match)}`, withGroups(value)]]
  const elements = `^(?:/+[^/]*){${elementCount(match.value)}}`
  const replacement = formatPath(withoutEndSlashes(value))
  return [
    replacement === ''
      ? ['http-request', 'replace-path', `${elements}/?(.*)\\z`, '/\\1']
      : ['http-request', 'replace-path', `${elements}(.*)\\z`, `${replacement}\\1`],
  ]
}

/** Groups of the pattern, $1 to $9, in HAProxy's syntax. */
function withGroups(text: string): string {
  return text
    .split(/\$([1-9])/)
    .map((part, index) => (index % 2 === 1 ? `\\${part}` : formatPath(part)))
    .join('')
}

function redirectLines(match: PathMatch, redirect: Redirect): Line[] {
  const { scheme, hostname, port, path, status } = redirect
  const keepsPort = scheme === undefined && port === undefined && hostname === undefined
  const usual = scheme === undefined ? undefined : { http: 80, https: 443 }[scheme]
  const suffix = port === undefined || port === usual ? '' : `:${port}`
  const host =
    hostname === undefined ? `%[var(txn.${keepsPort ? 'authority' : 'host'})]` : formatText(hostname)
  const origin = `${scheme ?? '%[ssl_fc,iif(https,http)]'}://${host}${suffix}`
  return [
    ...pathLines(match, path),
    ['http-request', 'redirect', 'location', `${origin}%[pathq]`, 'code', status],
  ]
}

/** Identifies an endpoint in a cookie without revealing its address. */
function endpointMark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
