import type { ProxyConfiguration, Route, VirtualHost } from './model.js'
import type { Unsupported } from './proxySettings.js'
import { isHostname, routeProblems } from './routeProblems.js'

/** What a proxy does not support: `rejected` drops the route, `ignored` only the unsupported part. */
export interface Limits {
  rejected(route: Route): string[]
  ignored(route: Route): string[]
}

/** A configuration without the hosts and routes that a proxy does not support. */
export function supported(
  configuration: ProxyConfiguration,
  limits: Pick<Limits, 'rejected'>,
): ProxyConfiguration {
  return {
    ...configuration,
    listeners: configuration.listeners.map((listener) => ({
      ...listener,
      hosts: listener.hosts
        .filter(({ hostname }) => isHostname(hostname))
        .map((host) => ({
          ...host,
          routes: host.routes.filter((route) => rejections(host, route, limits).length === 0),
        })),
    })),
  }
}

/** What a proxy does not support of a configuration, without duplicates if a route belongs to several hosts. */
export function notSupported({ listeners }: ProxyConfiguration, limits: Limits): Unsupported[] {
  const all = listeners
    .flatMap(({ hosts }) => hosts)
    .flatMap((host) =>
      host.routes.flatMap((route) =>
        [...rejections(host, route, limits), ...limits.ignored(route)].map((what) => ({
          route: route.id,
          what,
        })),
      ),
    )
  return [...new Map(all.map((one) => [JSON.stringify([one.route, one.what]), one])).values()]
}

function rejections(
  { hostname }: VirtualHost,
  route: Route,
  { rejected }: Pick<Limits, 'rejected'>,
): string[] {
  return [
    ...(isHostname(hostname) ? [] : [`${JSON.stringify(hostname)} is not a valid host name`]),
    ...routeProblems(route),
    ...rejected(route),
  ]
}
