import type { PathRewrite, ProxyConfiguration } from '../model.js'
import type { Unsupported } from '../proxySettings.js'
import { notSupported, supported, type Limits } from '../supported.js'

const limits: Limits = {
  refused: ({ rewrite, action }) => [
    ...queryProblem(rewrite?.path),
    ...(action.kind === 'redirect' ? queryProblem(action.path) : []),
  ],
  lacking: ({ mirror }) =>
    mirror === undefined || mirror.length === 0
      ? []
      : ['HAProxy cannot send copies of requests: they go to the backends alone'],
}

/** What of a configuration HAProxy cannot do, by the route that asks for it. */
export function unsupportedByHaproxy(configuration: ProxyConfiguration): Unsupported[] {
  return notSupported(configuration, limits)
}

/** What of it is not served at all. */
export function refusedByHaproxy(configuration: ProxyConfiguration): Unsupported[] {
  return notSupported(configuration, { ...limits, lacking: () => [] })
}

/** What HAProxy is told of a configuration. */
export function supportedByHaproxy(configuration: ProxyConfiguration): ProxyConfiguration {
  return supported(configuration, limits)
}

function queryProblem(path: PathRewrite | undefined): string[] {
  return path?.value.includes('?') === true ? ['HAProxy cannot write a query into a new path'] : []
}
