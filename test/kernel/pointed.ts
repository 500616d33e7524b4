import type { ProxyConfiguration, Route, WeightedBackend } from '../../src/ingress/model.js'
import { ports } from './proxyUnderTest.js'

/**
 * The same configuration with the endpoints of Services where the peer of that name listens, in whatever namespace the
 * Service is; `pair` has those of a and b, that of upstream stays, any other Service has
 * none.
 */
export function pointed(configuration: ProxyConfiguration): ProxyConfiguration {
  const known: Readonly<Record<string, readonly number[]>> = {
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, [port]])),
    pair: [ports.a, ports.b],
  }
  const backend = (one: WeightedBackend): WeightedBackend => {
    const name = /^[^/]+\/(\w+):/.exec(one.name)?.[1] ?? ''
    if (name === 'upstream') return one
    const found = one.unresolvedStatus === undefined ? known[name] : undefined
    return { ...one, endpoints: (found ?? []).map((port) => ({ address: '127.0.0.1', port })) }
  }
  const route = (one: Route): Route => ({
    ...one,
    ...(one.mirror === undefined ? {} : { mirror: one.mirror.map(backend) }),
    ...(one.action.kind === 'forward'
      ? { action: { ...one.action, backends: one.action.backends.map(backend) } }
      : {}),
  })
  const listeners = configuration.listeners.map((listener) => ({
    ...listener,
    hosts: listener.hosts.map((host) => ({ ...host, routes: host.routes.map(route) })),
  }))
  return { ...configuration, listeners }
}
