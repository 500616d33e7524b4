import type { PathRewrite, ProxyConfiguration } from '../model.js'
import type { Unsupported } from '../proxySettings.js'
import { notSupported, supported, type Limits } from '../supported.js'

const limits: Limits = {
  rejected: ({ rewrite, action }) => [
    ...queryProblem(rewrite?.path),
    ...(action.kind === 'redirect' ? queryProblem(action.path) : []),
  ],
  ignored: ({ mirror }) =>
    mirror === undefined || mirror.length === 0
      ? []
      : ['HAProxy cannot mirror requests: they go only to the backends'],
}

/** The unsupported parts of a configuration, by route. */
export function unsupportedByHaproxy(configuration: ProxyConfiguration): Unsupported[] {
  return notSupported(configuration, limits)
}

/** The routes that are not served at all, and why. */
export function rejectedByHaproxy(configuration: ProxyConfiguration): Unsupported[] {
  return notSupported(configuration, { ...limits, ignored: () => [] })
}

/** The part of a configuration that HAProxy supports. */
export function supportedByHaproxy(configuration: ProxyConfiguration): ProxyConfiguration {
  return supported(configuration, limits)
}

function queryProblem(path: PathRewrite | undefined): string[] {
  return path?.value.includes('?') === true ? ['HAProxy cannot add a query to a new path'] : []
}
