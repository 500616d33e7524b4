import { joinHostPort } from '../../net/socketText.js'
import type { PathMatch, PathRewrite, Route, WeightedBackend } from '../model.js'
import { escapePattern, pathPattern, withoutEndSlashes } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, literal, type Directive } from './directive.js'
import { headerDirectives, type UpstreamModule } from './headers.js'
import type { Session } from './session.js'

/** The URI of requests in a location: their own, or one that selects the location. */
export type LocationUri = 'own' | 'target'

/** The directives of a location that forward requests to one backend. */
export function forwardDirectives(
  route: Route,
  backend: WeightedBackend,
  session: Session | undefined,
  uri: LocationUri,
  define: Definitions,
): Directive[] {
  const { protocol, endpoints } = backend
  if (endpoints.length === 0) return [directive('return', [backend.unresolvedStatus ?? 503])]
  const module = protocol === 'HTTP' || protocol === 'HTTPS' ? 'proxy' : 'grpc'
  const upstream = define.upstream([
    ...(session === undefined ? [] : [directive('hash', [session.key, 'consistent'])]),
    ...endpoints.map(({ address, port }) =>
      directive('server', [joinHostPort(address, port), 'max_fails=0']),
    ),
  ])
  const secure = protocol === 'HTTPS' || protocol === 'GRPCS'
  return [
    ...rewriteDirectives(route, uri, module),
    ...timeouts(route, module),
    ...headerDirectives(route, backend, module, define),
    ...(session === undefined ? [] : [directive('add_header', ['Set-Cookie', session.newCookie, 'always'])]),
    ...(secure
      ? [directive(`${module}_ssl_server_name`, ['on']), directive(`${module}_ssl_name`, ['$host'])]
      : []),
    module === 'grpc'
      ? directive('grpc_pass', [`${secure ? 'grpcs' : 'grpc'}://${upstream}`])
      : directive('proxy_pass', [
          `${secure ? 'https' : 'http'}://${upstream}${uri === 'own' || changesPath(route) ? '' : '$request_uri'}`,
        ]),
  ]
}

/** Prefix of the URIs of mirrored requests; URIs of clients start with a slash. */
export const mirrorPrefix = 'mirror:'

/** The mirrored requests of a route: the directives for its locations, and the locations that send the copies. */
export function mirrorDirectives(route: Route, stem: string, define: Definitions) {
  const mirrors = (route.mirror ?? []).filter(({ endpoints }) => endpoints.length > 0)
  const path = (index: number) => `${mirrorPrefix}${stem}/${index}`
  return {
    directives: mirrors.map((_, index) => directive('mirror', [path(index)])),
    locations: mirrors.map((backend, index) =>
      directive(
        'location',
        ['=', path(index)],
        [directive('internal'), ...forwardDirectives(route, backend, undefined, 'target', define)],
      ),
    ),
  }
}

function changesPath({ rewrite }: Route): boolean {
  return rewrite?.path !== undefined
}

/**
 * Restores the request's own path in place of a target, and rewrites it. Without a rewrite the URI is forwarded unchanged,
 * with the encoding of the client: this is nginx's default if nothing was rewritten; otherwise proxy_pass has
 * `$request_uri`, which costs one TLS context per location. gRPC has no such option.
 */
function rewriteDirectives(route: Route, uri: LocationUri, module: UpstreamModule): Directive[] {
  const path = route.rewrite?.path
  const restored = uri === 'target' ? ['^', '$path'] : undefined
  if (path === undefined)
    return restored !== undefined && module === 'grpc' ? [directive('rewrite', [...restored, 'break'])] : []
  return [
    ...(restored === undefined ? [] : [directive('rewrite', restored)]),
    ...rewriteOf(route.path, path).map(([pattern, replacement]) =>
      directive('rewrite', [pattern, replacement]),
    ),
    directive('break'),
  ]
}

function rewriteOf(match: PathMatch, { type, value }: PathRewrite): [string, string][] {
  if (type === 'Full') return [['^', literal(absolute(value))]]
  if (type === 'Regex') return [[`^${pathPattern(match)}`, withGroups(absolute(value))]]
  const prefix = escapePattern(withoutEndSlashes(match.value))
  const replacement = literal(withoutEndSlashes(value))
  if (replacement === '') return [[`(?s)^${prefix}/?(.*)\\z`, '/$1']]
  return [[`(?s)^${prefix}(|/.*)\\z`, `${absolute(replacement)}$1`]]
}

/** Keeps groups of the pattern, $1 to $9; other dollar signs are literal. */
function withGroups(text: string): string {
  return text
    .split(/(\$[1-9])/)
    .map((part, index) => (index % 2 === 1 ? part : literal(part)))
    .join('')
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

function timeouts({ timeouts }: Route, module: UpstreamModule): Directive[] {
  const limit = timeouts?.backendRequestMs ?? timeouts?.requestMs
  if (limit === undefined) return []
  return [
    ...['connect', 'send', 'read'].map((part) => directive(`${module}_${part}_timeout`, [`${limit}ms`])),
    // a request that has timed out is not sent to another endpoint
    directive(`${module}_next_upstream_timeout`, [`${timeouts?.requestMs ?? limit}ms`]),
  ]
}
