import type { GatewayRoute } from '../../cluster/types/gateway.js'
import { refusedByHaproxy } from '../haproxy/unsupported.js'
import type { Listener, ProxyConfiguration, Route } from '../model.js'
import { refusedByNginx } from '../nginx/unsupported.js'
import type { Fault } from './conditions.js'
import type { KnownProxy } from './features.js'
import type { Rule } from './routes.js'

/** What of the rules of a route the proxy leaves out: all of it, or a part. */
export interface RefusedRules {
  readonly whole?: Fault
  readonly part?: Fault
}

/**
 * Tells of each route what a proxy cannot be told of it, and what it can be told: a rule is served with all of its matches,
 * or dropped. `hasIngresses` is whether it serves Ingresses beside the Gateways, which are on the same ports.
 */
export function refusedRules(
  { listeners, certificates }: ProxyConfiguration,
  proxy: KnownProxy | undefined,
  hasIngresses: boolean,
): { readonly of: (route: GatewayRoute) => RefusedRules; readonly rest: ProxyConfiguration } {
  if (proxy === undefined) return { of: () => ({}), rest: { listeners, certificates } }
  const refusedBy = { nginx: refusedByNginx, haproxy: refusedByHaproxy }[proxy]
  const all = hasIngresses ? [...listeners, ofIngresses] : listeners
  const refused = new Map(refusedBy({ certificates, listeners: all }).map(({ route, what }) => [route, what]))
  const of = ({ kind, metadata: { namespace = 'default', name }, spec }: GatewayRoute): RefusedRules => {
    const rules: readonly Rule[] = spec.rules ?? []
    const found = rules.flatMap((_, index) => {
      const what = refused.get(`${kind}/${namespace}/${name}/${index}`)
      return what === undefined ? [] : [`spec.rules[${index}]: ${what}`]
    })
    if (found.length === 0) return {}
    const fault = { reason: 'UnsupportedValue', message: found.join('; ') }
    // the Gateway API asks for these words where other rules are served
    return found.length === rules.length
      ? { whole: fault }
      : { part: { ...fault, message: `Dropped Rule ${fault.message}` } }
  }
  const rest = listeners.map((listener) => ({
    ...listener,
    hosts: listener.hosts.map((host) => ({
      ...host,
      routes: host.routes.filter(({ id }) => !refused.has(id)),
    })),
  }))
  return { of, rest: { certificates, listeners: rest } }
}

/** As much of Ingresses as matters to others: there are requests by HTTP/1.1 on port 80. */
const anything: Route = {
  ...{ id: '', path: { type: 'Prefix', value: '/' }, headers: [], query: [] },
  action: { kind: 'forward', backends: [{ name: '', weight: 1, protocol: 'HTTP', endpoints: [] }] },
}
const ofIngresses: Listener = {
  ...{ port: 80, protocol: 'HTTP', proxyProtocol: false },
  hosts: [{ hostname: '*', wildcard: 'suffix', routes: [anything] }],
}
