import type { GatewayRoute, RouteFilter } from '../../cluster/types/gateway.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import type { Rule } from './routes.js'

const servedFilters = ['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestRedirect'].concat([
  'URLRewrite',
  'RequestMirror',
])

/** Why a route is not supported; such a route is not served at all. */
export function unsupportedOf({ spec }: GatewayRoute, proxy: KnownProxy | undefined): Fault | undefined {
  const rules: readonly Rule[] = spec.rules ?? []
  const [first] = rules.flatMap((rule, index) =>
    unsupportedIn(rule, proxy).map((what) => ({
      reason: 'UnsupportedValue',
      message: `spec.rules[${index}]: ${what}`,
    })),
  )
  return first
}

function unsupportedIn(rule: Rule, proxy: KnownProxy | undefined): string[] {
  const ofBackends = (rule.backendRefs ?? []).flatMap((backend) => backend.filters ?? [])
  const isShare = ({ requestMirror }: RouteFilter) =>
    requestMirror?.percent !== undefined || requestMirror?.fraction !== undefined
  const filters = [...(rule.filters ?? []), ...ofBackends]
  return [
    ...filters
      .filter(({ type }) => !servedFilters.includes(type))
      .map(({ type }) => `the filter ${type} is not supported`),
    ...ofBackends
      .filter(({ type }) => !type.endsWith('HeaderModifier'))
      .map(({ type }) => `the filter ${type} of a backend is not supported`),
    ...filters
      .filter(({ type }) => type === 'RequestMirror' && proxy === 'haproxy')
      .map(() => 'HAProxy cannot mirror requests (RequestMirror)'),
    ...filters.filter(isShare).map(() => 'mirroring a part of the requests is not supported'),
    ...['retry', 'sessionPersistence']
      .filter((field) => Object.hasOwn(rule, field))
      .map((field) => `${field} is not supported`),
  ]
}
