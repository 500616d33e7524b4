import type { Listener, ProxyConfiguration, Route } from '../model.js'
import type { Unsupported } from '../proxySettings.js'
import { notSupported, supported, type Limits } from '../supported.js'
import { byPort } from '../hostOrder.js'
import { modifiers } from '../unusable.js'
import { backendsOf, isForGrpcAlone, isGrpc } from './servers.js'

const limits: Limits = {
  refused: ({ headers }) =>
    headers
      .filter(({ name }) => !hasVariable(name))
      .map(({ name }) => `nginx cannot look at a header ${name}`),
  lacking: (route: Route) =>
    modifiers(route)
      .flatMap(({ add }) => add)
      .filter(({ name }) => !hasVariable(name))
      .map(({ name }) => `nginx cannot add to a header ${name} of the client: it is set`),
}

/** What of a configuration nginx cannot do, by the route that asks for it. */
export function unsupportedByNginx(configuration: ProxyConfiguration): Unsupported[] {
  return [...notSupported(configuration, limits), ...sharedPorts(configuration), ...plainGrpc(configuration)]
}

/** What of it is not served at all. */
export function refusedByNginx(configuration: ProxyConfiguration): Unsupported[] {
  const refused = notSupported(configuration, { ...limits, lacking: () => [] })
  return [...refused, ...sharedPorts(configuration), ...plainGrpc(configuration)]
}

/** What nginx is told of a configuration. */
export function supportedByNginx(configuration: ProxyConfiguration): ProxyConfiguration {
  const { listeners } = configuration
  return supported(
    { ...configuration, listeners: listeners.filter((listener) => !isShadowed(listener, listeners)) },
    limits,
  )
}

/** nginx has variables of headers whose names are letters, digits and dashes. */
function hasVariable(name: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(name)
}

/** Connections of a port are either passed through or ended; with both asked for, they are ended. */
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
          what: `nginx ends TLS on port ${port}, and passes none through there`,
        })),
    )
}

function plainGrpc({ listeners }: ProxyConfiguration): Unsupported[] {
  return byPort(listeners.filter(({ protocol }) => protocol === 'HTTP')).flatMap((sharing) => {
    const routes = sharing.flatMap(({ hosts }) => hosts).flatMap((host) => host.routes)
    if (isForGrpcAlone([{ routes }])) return []
    const what =
      `nginx speaks no HTTP/2, and so no gRPC, on port ${sharing[0]?.port}, which has no TLS and is asked for ` +
      'HTTP/1.1 too'
    return routes.filter((route) => backendsOf(route).some(isGrpc)).map(({ id }) => ({ route: id, what }))
  })
}
