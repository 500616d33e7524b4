import type { GatewayRoute } from '../../cluster/types/gateway.js'
import { rejectedByHaproxy } from '../haproxy/unsupported.js'
import type { Listener, ProxyConfiguration, Route } from '../model.js'
import { rejectedByNginx } from '../nginx/unsupported.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import type { Rule } from './routes.js'

/** The rules of a route that the proxy rejects: all, or a part. */
export interface RejectedRules {
  readonly whole?: Fault
  readonly part?: Fault
}

/**
 * The rules of each route that a proxy does not support, and the configuration without them: a rule is served with all
 * its matches, or dropped. `hasIngresses`: the proxy also serves Ingresses, which use the same ports.
 */
export function rejectedRules(
  { listeners, certificates }: ProxyConfiguration,
  proxy: KnownProxy | undefined,
  hasIngresses: boolean,
): { readonly of: (route: GatewayRoute) => RejectedRules; readonly rest: ProxyConfiguration } {
  if (proxy === undefined) return { of: () => ({}), rest: { listeners, certificates } }
  const rejectedBy = { nginx: rejectedByNginx, haproxy: rejectedByHaproxy }[proxy]
  const all = hasIngresses ? [...listeners, ofIngresses] : listeners
  const rejected = new Map(
    rejectedBy({ certificates, listeners: all }).map(({ route, what }) => [route, what]),
  )
  const of = ({ kind, metadata: { namespace = 'default', name }, spec }: GatewayRoute): RejectedRules => {
    const rules: readonly Rule[] = spec.rules ?? []
    const found = rules.flatMap((_, index) => {
      const what = rejected.get(`${kind}/${namespace}/${name}/${index}`)
      return what === undefined ? [] : [`spec.rules[${index}]: ${what}`]
    })
    if (found.length === 0) return {}
    const fault = { reason: 'UnsupportedValue', message: found.join('; ') }
    // the Gateway API requires this wording if other rules are served
    return found.length === rules.length
      ? { whole: fault }
      : { part: { ...fault, message: `Dropped Rule ${fault.message}` } }
  }
  const rest = listeners.map((listener) => ({
    ...listener,
    hosts: listener.hosts.map((host) => ({
      ...host,
      routes: host.routes.filter(({ id }) => !rejected.has(id)),
    })),
  }))
  return { of, rest: { certificates, listeners: rest } }
}

/** The part of Ingresses that matters to Gateways: there are HTTP/1.1 requests on port 80. */
const anything: Route = {
  ...{ id: '', path: { type: 'Prefix', value: '/' }, headers: [], query: [] },
  action: { kind: 'forward', backends: [{ name: '', weight: 1, protocol: 'HTTP', endpoints: [] }] },
}
const ofIngresses: Listener = {
  ...{ port: 80, protocol: 'HTTP', proxyProtocol: false },
  hosts: [{ hostname: '*', wildcard: 'suffix', routes: [anything] }],
}
