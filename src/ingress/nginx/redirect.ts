import type { Redirect, Route } from '../model.js'
import { elementCount, withoutEndSlashes } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, literal, type Directive } from './directive.js'

/** The directives of a redirect. Parts of the client's URI are kept without decoding. */
export function redirectDirectives(redirect: Redirect, route: Route, define: Definitions): Directive[] {
  return [directive('return', [redirect.status, `${origin(redirect)}${target(redirect, route, define)}`])]
}

function origin({ scheme, hostname, port }: Redirect): string {
  const keepsPort = scheme === undefined && port === undefined && hostname === undefined
  if (keepsPort) return '$scheme://$forwarded_host'
  const usual = scheme === undefined ? undefined : { http: 80, https: 443 }[scheme]
  const suffix = port === undefined || port === usual ? '' : `:${port}`
  return `${scheme ?? '$scheme'}://${hostname === undefined ? '$host' : literal(hostname)}${suffix}`
}

function target({ path }: Redirect, route: Route, define: Definitions): string {
  if (path === undefined) return '$request_uri'
  if (path.type !== 'Prefix') return `${literal(path.value)}$is_args$args`
  const replacement = withoutEndSlashes(path.value)
  const elements = `~^(?:/+[^/?]*){${elementCount(route.path.value)}}`
  // if the whole path is removed, one slash remains
  const rest =
    replacement === ''
      ? [directive('default', ['/']), directive(`${elements}/*(.*)\\z`, ['/$1'])]
      : [directive('default', ['']), directive(`${elements}(.*)\\z`, ['$1'])]
  return `${literal(replacement)}${define.variable('map', 'rest', '$request_uri', rest)}`
}
