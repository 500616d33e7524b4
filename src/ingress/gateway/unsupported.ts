import type { GatewayRoute, RouteFilter } from '../../cluster/types/gateway.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import type { Rule } from './routes.js'

const servedFilters = ['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestRedirect'].concat([
  'URLRewrite',
  'RequestMirror',
])

/** What of a route cannot be served; nothing of such a route is. */
export function unsupportedOf({ spec }: GatewayRoute, proxy: KnownProxy | undefined): Fault | undefined {
  const rules: readonly Rule[] = spec.rules ?? []
  const [first] = rules.flatMap((rule, index) =>
    unservedOf(rule, proxy).map((what) => ({
      reason: 'UnsupportedValue',
      message: `spec.rules[${index}]: ${what}`,
    })),
  )
  return first
}

function unservedOf(rule: Rule, proxy: KnownProxy | undefined): string[] {
  const ofBackends = (rule.backendRefs ?? []).flatMap((backend) => backend.filters ?? [])
  const isShare = ({ requestMirror }: RouteFilter) =>
    requestMirror?.percent !== undefined || requestMirror?.fraction !== undefined
  const filters = [...(rule.filters ?? []), ...ofBackends]
  return [
    ...filters
      .filter(({ type }) => !servedFilters.includes(type))
      .map(({ type }) => `the filter ${type} is not served`),
    ...ofBackends
      .filter(({ type }) => !type.endsWith('HeaderModifier'))
      .map(({ type }) => `the filter ${type} of a backend is not served`),
    ...filters
      .filter(({ type }) => type === 'RequestMirror' && proxy === 'haproxy')
      .map(() => 'HAProxy cannot send copies of requests (RequestMirror)'),
    ...filters.filter(isShare).map(() => 'mirroring a share of the requests is not served'),
    ...['retry', 'sessionPersistence']
      .filter((field) => Object.hasOwn(rule, field))
      .map((field) => `${field} is not served`),
  ]
}
