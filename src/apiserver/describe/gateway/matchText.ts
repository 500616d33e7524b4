import type {
  GRPCRouteMatch,
  HTTPRouteMatch,
  NameValueMatch,
  RouteFilter,
} from '../../../cluster/types/gateway.js'

/** A match of an HTTPRoute or GRPCRoute as text: `POST /cart (prefix), header version: two`. */
export function matchText(match: HTTPRouteMatch | GRPCRouteMatch): string {
  const target = typeof match.method === 'object' || !('path' in match) ? grpcText(match) : httpText(match)
  const of = (what: string, matches: readonly NameValueMatch[] | undefined) =>
    (matches ?? []).map(({ name, type, value }) => {
      const sign = type === 'RegularExpression' ? ' ~ ' : what === 'header' ? ': ' : '='
      return `${what} ${name}${sign}${value}`
    })
  const query = 'queryParams' in match ? match.queryParams : undefined
  return [target, ...of('header', match.headers), ...of('parameter', query)].join(', ')
}

function httpText({ path: { type = 'PathPrefix', value = '/' } = {}, method }: HTTPRouteMatch): string {
  const how = { PathPrefix: 'prefix', Exact: 'exact', RegularExpression: 'expression' }[type]
  return `${method === undefined ? '' : `${method} `}${value} (${how})`
}

function grpcText({ method }: HTTPRouteMatch | GRPCRouteMatch): string {
  if (typeof method !== 'object') return 'every method'
  const { service, method: name, type } = method
  const how = type === 'RegularExpression' ? ' (expression)' : ''
  return `${service ?? '*'}/${name ?? '*'}${how}`
}

/** A filter as short text. */
export function filterText({ type, ...filter }: RouteFilter): string {
  const { requestRedirect, urlRewrite, requestMirror, requestHeaderModifier, responseHeaderModifier } = filter
  if (requestRedirect !== undefined) {
    const { scheme, hostname, port, path, statusCode = 302 } = requestRedirect
    const to = [
      ...(scheme === undefined ? [] : [scheme]),
      ...(hostname === undefined ? [] : [hostname]),
      ...(port === undefined ? [] : [`port ${port}`]),
      ...pathText(path),
    ]
    return `redirect ${statusCode}${to.length === 0 ? '' : ` to ${to.join(', ')}`}`
  }
  if (urlRewrite !== undefined) {
    const { hostname, path } = urlRewrite
    return `rewrite to ${[...(hostname === undefined ? [] : [hostname]), ...pathText(path)].join(', ')}`
  }
  if (requestMirror !== undefined) return `mirror to ${requestMirror.backendRef.name}`
  const changes = requestHeaderModifier ?? responseHeaderModifier
  if (changes === undefined) return type
  const { set = [], add = [], remove = [] } = changes
  const actions = [
    ...set.map(({ name }) => `set ${name}`),
    ...add.map(({ name }) => `add ${name}`),
    ...remove.map((name) => `remove ${name}`),
  ]
  return `${requestHeaderModifier === undefined ? 'response' : 'request'} headers: ${actions.join(', ')}`
}

function pathText(path: { replaceFullPath?: string; replacePrefixMatch?: string } | undefined): string[] {
  if (path === undefined) return []
  const { replaceFullPath, replacePrefixMatch } = path
  return [replaceFullPath === undefined ? `prefix ${replacePrefixMatch ?? '/'}` : `path ${replaceFullPath}`]
}
