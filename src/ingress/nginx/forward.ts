import { joinHostPort } from '../../net/socketText.js'
import type { PathMatch, PathRewrite, Route, WeightedBackend } from '../model.js'
import { escapePattern, pathPattern, withoutEndSlashes } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, literal, type Directive } from './directive.js'
import { headerDirectives, type UpstreamModule } from './headers.js'
import type { Session } from './session.js'

/** Whether a location gets requests with the URI that they came with, or with one that tells what to do. */
export type LocationUri = 'own' | 'target'

/** What has a location pass requests on to one backend. */
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

/** What the URIs of copies begin with: none of a client's, which start with a slash. */
export const mirrorPrefix = 'mirror:'

/** The copies that a route sends elsewhere: what its locations ask for, and the locations that do it. */
export function mirrorDirectives(route: Route, stem: string, define: Definitions) {
  const mirrors = (route.mirror ?? []).filter(({ endpoints }) => endpoints.length > 0)
  const path = (index: number) => `${mirrorPrefix}${stem}/${index}`
  return {
    asked: mirrors.map((_, index) => directive('mirror', [path(index)])),
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
 * Gives the request its own path again, in place of a target, and changes that. Without a change the URI is passed on as
 * it came, with every byte encoded as the client did: nginx does so by itself where nothing was rewritten, and is told
 * otherwise (`$request_uri`, which costs a location a TLS context of its own); gRPC has no way to be told so.
 */
function rewriteDirectives(route: Route, uri: LocationUri, module: UpstreamModule): Directive[] {
  const path = route.rewrite?.path
  const back = uri === 'target' ? ['^', '$path'] : undefined
  if (path === undefined)
    return back !== undefined && module === 'grpc' ? [directive('rewrite', [...back, 'break'])] : []
  return [
    ...(back === undefined ? [] : [directive('rewrite', back)]),
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

/** Groups of the pattern, $1 to $9, stay; any other dollar sign is one. */
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
    // a request whose time is over is not sent to another endpoint
    directive(`${module}_next_upstream_timeout`, [`${timeouts?.requestMs ?? limit}ms`]),
  ]
}
