import type {
  GRPCRouteMatch,
  HTTPRouteMatch,
  NameValueMatch,
  RouteFilter,
} from '../../../cluster/types/gateway.js'

/** What a match of an HTTPRoute or GRPCRoute asks for: `POST /cart (prefix), header version: two`. */
export function matchText(match: HTTPRouteMatch | GRPCRouteMatch): string {
  const asked = typeof match.method === 'object' || !('path' in match) ? grpcText(match) : httpText(match)
  const of = (what: string, matches: readonly NameValueMatch[] | undefined) =>
    (matches ?? []).map(({ name, type, value }) => {
      const sign = type === 'RegularExpression' ? ' ~ ' : what === 'header' ? ': ' : '='
      return `${what} ${name}${sign}${value}`
    })
  const query = 'queryParams' in match ? match.queryParams : undefined
  return [asked, ...of('header', match.headers), ...of('parameter', query)].join(', ')
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

/** What a filter does, in a few words. */
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
  const said = [
    ...set.map(({ name }) => `set ${name}`),
    ...add.map(({ name }) => `add ${name}`),
    ...remove.map((name) => `remove ${name}`),
  ]
  return `${requestHeaderModifier === undefined ? 'answer' : 'request'} headers: ${said.join(', ')}`
}

function pathText(path: { replaceFullPath?: string; replacePrefixMatch?: string } | undefined): string[] {
  if (path === undefined) return []
  const { replaceFullPath, replacePrefixMatch } = path
  return [replaceFullPath === undefined ? `prefix ${replacePrefixMatch ?? '/'}` : `path ${replaceFullPath}`]
}
