import type { GatewayListener, ListenerOwner } from '../../../cluster/types/gateway.js'
import { isEmptySelector } from '../../../cluster/selectors.js'
import { selectorText } from '../../../cluster/columns/selectorText.js'
import { namespaceOf } from './conditionText.js'

/** The namespaces whose routes a listener accepts: `of namespace infra`, `of namespaces with front=open`, … */
export function namespacesText(owner: ListenerOwner, { allowedRoutes }: GatewayListener): string {
  const { from = 'Same', selector } = allowedRoutes?.namespaces ?? {}
  const isEmpty = selector !== undefined && isEmptySelector(selector)
  if (from === 'All' || (from === 'Selector' && isEmpty)) return 'of all namespaces'
  if (from === 'None') return 'of no namespace'
  if (from === 'Same') return `of namespace ${namespaceOf(owner)}`
  return `of namespaces with ${selectorText(selector)}`
}

/** The kinds of routes that a listener accepts, by its own list or by its protocol. */
export function kindsText({ protocol, allowedRoutes }: GatewayListener): string {
  const { kinds = [] } = allowedRoutes ?? {}
  if (kinds.length > 0) return kinds.map(({ kind }) => kind).join(',')
  return { HTTP: 'HTTPRoute,GRPCRoute', HTTPS: 'HTTPRoute,GRPCRoute', TLS: 'TLSRoute' }[protocol] ?? 'none'
}

/** A listener as short text: `https (443, shop.example.com)`. */
export function listenerText({ name, port, hostname }: GatewayListener): string {
  return `${name} (${port}${hostname === undefined ? '' : `, ${hostname}`})`
}
