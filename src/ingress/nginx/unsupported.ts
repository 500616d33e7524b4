import type { Listener, ProxyConfiguration, Route } from '../model.js'
import type { Unsupported } from '../proxySettings.js'
import { notSupported, supported, type Limits } from '../supported.js'
import { byPort } from '../hostOrder.js'
import { modifiers } from '../routeProblems.js'
import { backendsOf, isGrpcOnly, isGrpc } from './servers.js'

const limits: Limits = {
  rejected: ({ headers }) =>
    headers
      .filter(({ name }) => !hasVariable(name))
      .map(({ name }) => `nginx cannot match the header ${name}`),
  ignored: (route: Route) =>
    modifiers(route)
      .flatMap(({ add }) => add)
      .filter(({ name }) => !hasVariable(name))
      .map(({ name }) => `nginx cannot add to the header ${name} of the client: it replaces the header`),
}

/** The unsupported parts of a configuration, by route. */
export function unsupportedByNginx(configuration: ProxyConfiguration): Unsupported[] {
  return [...notSupported(configuration, limits), ...sharedPorts(configuration), ...plainGrpc(configuration)]
}

/** The routes that are not served at all, and why. */
export function rejectedByNginx(configuration: ProxyConfiguration): Unsupported[] {
  const rejected = notSupported(configuration, { ...limits, ignored: () => [] })
  return [...rejected, ...sharedPorts(configuration), ...plainGrpc(configuration)]
}

/** The part of a configuration that nginx supports. */
export function supportedByNginx(configuration: ProxyConfiguration): ProxyConfiguration {
  const { listeners } = configuration
  return supported(
    { ...configuration, listeners: listeners.filter((listener) => !isShadowed(listener, listeners)) },
    limits,
  )
}

/** nginx has variables only for headers whose names consist of letters, digits and dashes. */
function hasVariable(name: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(name)
}

/** On one port TLS is either passed through or terminated; with both requested, it is terminated. */
function isShadowed(listener: Listener, all: readonly Listener[]): boolean {
  return (
    listener.protocol === 'TLS' &&
    all.some(({ port, protocol }) => port === listener.port && protocol !== 'TLS')
  )
}

function sharedPorts({ listeners }: ProxyConfiguration): Unsupported[] {
  return listeners
    .filter((listener) => isShadowed(listener, listeners))
    .flatMap(({ port, hosts }) =>
      hosts
        .flatMap(({ routes }) => routes)
        .map(({ id }) => ({
          route: id,
          what: `nginx terminates TLS on port ${port} and cannot pass it through there`,
        })),
    )
}

function plainGrpc({ listeners }: ProxyConfiguration): Unsupported[] {
  return byPort(listeners.filter(({ protocol }) => protocol === 'HTTP')).flatMap((sharing) => {
    const routes = sharing.flatMap(({ hosts }) => hosts).flatMap((host) => host.routes)
    if (isGrpcOnly([{ routes }])) return []
    const what =
      `nginx does not support HTTP/2, and so no gRPC, on port ${sharing[0]?.port}, which has no TLS and serves ` +
      'HTTP/1.1 too'
    return routes.filter((route) => backendsOf(route).some(isGrpc)).map(({ id }) => ({ route: id, what }))
  })
}
