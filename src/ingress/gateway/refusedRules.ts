import type { GatewayRoute } from '../../cluster/gatewayTypes.js'
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
 * Tells of each route what a proxy cannot be told of it; `hasIngresses` is whether it serves Ingresses beside the Gateways,
 * which are on the same ports.
 */
export function refusedRules(
  { listeners, certificates }: ProxyConfiguration,
  proxy: KnownProxy | undefined,
  hasIngresses: boolean,
): (route: GatewayRoute) => RefusedRules {
  if (proxy === undefined) return () => ({})
  const refusedBy = { nginx: refusedByNginx, haproxy: refusedByHaproxy }[proxy]
  const all = hasIngresses ? [...listeners, ofIngresses] : listeners
  const refused = new Map(refusedBy({ certificates, listeners: all }).map(({ route, what }) => [route, what]))
  return ({ kind, metadata: { namespace = 'default', name }, spec }) => {
    const rules: readonly Rule[] = spec.rules ?? []
    const found = rules.map((_, index) => refused.get(`${kind}/${namespace}/${name}/${index}`))
    const index = found.findIndex((what) => what !== undefined)
    if (index < 0) return {}
    const fault = { reason: 'UnsupportedValue', message: `spec.rules[${index}]: ${found[index]}` }
    return found.every((what) => what !== undefined) ? { whole: fault } : { part: fault }
  }
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
