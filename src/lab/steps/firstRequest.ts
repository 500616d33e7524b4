import { hostText } from '../../net/hostText.js'
import type { Lab, Step, StepAction } from '../types.js'

/** A request as a user writes it, with names in braces as in lab.yaml. */
export interface FirstRequest {
  readonly from: string
  readonly to: string
  readonly protocol: 'tcp' | 'udp' | 'icmp'
  readonly host?: string | undefined
}

/**
 * The request with which a lab's steps begin: before a change the first that shall pass, else the first. Undefined if no step that
 * is not left out sends one.
 */
export function firstRequest({ steps, clients }: Lab): FirstRequest | undefined {
  const changed = steps.findIndex(({ action }) => action.kind === 'change')
  const first = steps.flatMap(({ action, from = clients[0]?.name, leftOut, expect }, index) => {
    const request = requestOf(action)
    if (request === undefined || from === undefined || leftOut !== undefined) return []
    const passes = shallPass(expect) && (changed === -1 || index < changed)
    return [{ passes, request: { ...request, from } }]
  })
  return (first.find(({ passes }) => passes) ?? first[0])?.request
}

function shallPass({ fails, exitCode = 0, status }: Step['expect']): boolean {
  return fails === undefined && exitCode === 0 && !(typeof status === 'number' && status >= 400)
}

/** Undefined for what the page does not send: other methods than GET, and bodies. */
function requestOf(action: StepAction): Omit<FirstRequest, 'from'> | undefined {
  if (action.kind === 'load') return requestOf(action.request)
  if (action.kind === 'ping') return { protocol: 'icmp', to: action.host }
  if (action.kind === 'nc') {
    const { host, port, portText = String(port), udp } = action
    return { protocol: udp ? 'udp' : 'tcp', to: `${hostText(host)}:${portText}` }
  }
  if (action.kind !== 'curl' || action.body !== undefined || (action.method ?? 'GET') !== 'GET')
    return undefined
  const { url, resolve, headers } = action
  const [, scheme = '', host = '', rest = ''] = urlParts.exec(url) ?? []
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1]
  const asked = named ?? (resolve === undefined ? undefined : host)
  return {
    protocol: 'tcp',
    to: `${scheme}${resolve === undefined ? host : hostText(resolve)}${rest}`,
    ...(asked !== undefined && { host: asked }),
  }
}

/** Scheme, host and the rest of a URL without its user; the host may be a name in braces. */
const urlParts = /^(https?:\/\/)(?:[^/?#@{]*@)?(\{[^}]*\}|\[[^\]]*\]|[^/?#:]*)(.*)$/i
