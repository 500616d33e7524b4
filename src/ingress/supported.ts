import type { ProxyConfiguration, Route, VirtualHost } from './model.js'
import type { Unsupported } from './proxySettings.js'
import { isHostname, unusable } from './unusable.js'

/** What a proxy cannot do: `refused` leaves a route out, `lacking` does the rest of it. */
export interface Limits {
  refused(route: Route): string[]
  lacking(route: Route): string[]
}

/** A configuration without the hosts and routes that a proxy cannot be told of. */
export function supported(
  configuration: ProxyConfiguration,
  limits: Pick<Limits, 'refused'>,
): ProxyConfiguration {
  return {
    ...configuration,
    listeners: configuration.listeners.map((listener) => ({
      ...listener,
      hosts: listener.hosts
        .filter(({ hostname }) => isHostname(hostname))
        .map((host) => ({
          ...host,
          routes: host.routes.filter((route) => refusals(host, route, limits).length === 0),
        })),
    })),
  }
}

/** What a proxy leaves out of a configuration, and why; each thing once, though a route stands for several hosts. */
export function notSupported({ listeners }: ProxyConfiguration, limits: Limits): Unsupported[] {
  const all = listeners
    .flatMap(({ hosts }) => hosts)
    .flatMap((host) =>
      host.routes.flatMap((route) =>
        [...refusals(host, route, limits), ...limits.lacking(route)].map((what) => ({
          route: route.id,
          what,
        })),
      ),
    )
  return [...new Map(all.map((one) => [JSON.stringify([one.route, one.what]), one])).values()]
}

function refusals({ hostname }: VirtualHost, route: Route, { refused }: Pick<Limits, 'refused'>): string[] {
  return [
    ...(isHostname(hostname) ? [] : [`${JSON.stringify(hostname)} is no host name`]),
    ...unusable(route),
    ...refused(route),
  ]
}
