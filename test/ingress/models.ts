import type {
  Forward,
  Listener,
  PathMatch,
  ProxyConfiguration,
  Route,
  VirtualHost,
  WeightedBackend,
} from '../../src/ingress/model.js'

/** A route with defaults: it forwards all requests, without backends. */
export function route(given: Partial<Route> = {}): Route {
  return { id: 'Ingress/default/x/0', path: prefix('/'), headers: [], query: [], action: forward(), ...given }
}

export function prefix(value: string): PathMatch {
  return { type: 'Prefix', value }
}

export function forward(...backends: readonly WeightedBackend[]): Forward {
  return { kind: 'forward', backends }
}

/** A backend with one endpoint for each port, on the loopback address. */
export function backend(ports: readonly number[], given: Partial<WeightedBackend> = {}): WeightedBackend {
  const endpoints = ports.map((port) => ({ address: '127.0.0.1', port }))
  return { name: 'default/x', weight: 1, protocol: 'HTTP', endpoints, ...given }
}

export function host(
  hostname: string,
  routes: readonly Route[],
  given: Partial<VirtualHost> = {},
): VirtualHost {
  return { hostname, wildcard: 'one-label', routes, ...given }
}

export function listener(
  port: number,
  hosts: readonly VirtualHost[],
  given: Partial<Listener> = {},
): Listener {
  return { port, protocol: 'HTTP', proxyProtocol: false, hosts, ...given }
}

/** A configuration with these listeners, without certificates. */
export function configuration(...listeners: readonly Listener[]): ProxyConfiguration {
  return { listeners, certificates: {} }
}
