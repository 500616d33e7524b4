import type { Listener, Match, PathMatch, Route, VirtualHost } from './model.js'
import { hostsOf } from './hostOrder.js'
import { withoutEndSlashes } from './pathPattern.js'

/** What a proxy selects the route of a request by. */
export interface RequestHead {
  readonly secure: boolean
  /** Whether the client ends the connection if it does not trust the certificate. */
  readonly verifies?: true | undefined
  /** Whether it is one of HTTP/2, which begins without negotiation if it is not secure. */
  readonly http2?: true | undefined
  /** Without a port. */
  readonly host: string
  /** With the query. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The routes that a proxy can select for a request, of the listeners of one port: one, or several where a regular expression
 * decides, which is not evaluated. `undefined`: no route matches.
 */
export function matchingRoutes(
  listeners: readonly Listener[],
  head: RequestHead,
): readonly (Route | undefined)[] {
  const own = listeners.filter(({ protocol }) => (protocol === 'HTTP') !== head.secure)
  const host = hostsOf(own).find((one) => isOfHost(one, head.host))
  const possible: Route[] = []
  for (const route of host?.routes ?? []) {
    const applies = matches(route, head)
    if (applies !== false) possible.push(route)
    if (applies === true) return possible
  }
  return [...possible, undefined]
}

/** Whether a host has the name of a request. */
export function isOfHost(
  { hostname, wildcard }: Pick<VirtualHost, 'hostname' | 'wildcard'>,
  asked: string,
): boolean {
  if (hostname === '*') return true
  const [own, name] = [hostname.toLowerCase(), asked.toLowerCase()]
  if (!own.startsWith('*.')) return own === name
  const rest = name.slice(0, -own.length + 1)
  return name.endsWith(own.slice(1)) && rest !== '' && (wildcard === 'suffix' || !rest.includes('.'))
}

/** Whether a route is for a request of its host; undefined if a regular expression decides. */
export function matches(route: Route, { target, method, headers }: RequestHead): boolean | undefined {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const answers = [
    route.method === undefined || route.method === method,
    matchesPath(route.path, decoded(path)),
    ...route.headers.map((match) => matchesValue(match, given.get(match.name.toLowerCase()))),
    ...route.query.map((match) => matchesValue(match, parameters.get(match.name) ?? undefined)),
  ]
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}

/** Whether a path has the target of a request, without its query; undefined if a regular expression decides. */
export function matchesPath({ type, value }: PathMatch, path: string): boolean | undefined {
  if (type === 'Exact') return path === value
  if (type === 'RegularExpression') return undefined
  const elements = withoutEndSlashes(value)
  return path === elements || path.startsWith(`${elements}/`)
}

function matchesValue({ type, value }: Match, given: string | undefined): boolean | undefined {
  if (given === undefined) return false
  return type === 'Exact' ? given === value : undefined
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
