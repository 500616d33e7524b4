import { InputError } from '../errors.js'
import type { RequestHead } from '../ingress/matchingRoutes.js'
import { isAddress, joinHostPort, splitPort } from '../net/socketText.js'
import type { Action, RequestResult } from '../results/request.js'
import type { WrittenRequest } from './writtenRequest.js'

/**
 * What a request calls: a name is the address to which its sender has resolved it, or the name itself if the sender has found
 * an address and not reported it, as curl does for a refused connection. Throws InputError if it has found none.
 */
export function calledBy(
  action: Action,
  { remote, connecting }: Pick<RequestResult, 'remote' | 'connecting'>,
): Omit<WrittenRequest, 'from'> {
  const addressOf = (host: string, resolved: string | undefined) => {
    if (isAddress(host)) return host
    if (resolved !== undefined && isAddress(resolved)) return resolved
    if (connecting) return host
    throw new InputError([{ message: `the address of ${host} is not known` }])
  }
  switch (action.kind) {
    case 'curl': {
      const { hostname, port, protocol } = new URL(action.url)
      const address = addressOf(hostname.replace(/^\[|\]$/g, ''), action.resolve ?? remote?.address)
      const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
      return { to: joinHostPort(address, number), protocol: 'tcp', head: headOf(action) }
    }
    case 'nc': {
      const { host, port, udp, sourcePort } = action
      const to = joinHostPort(addressOf(host, undefined), port)
      return { to, protocol: udp ? 'udp' : 'tcp', sourcePort }
    }
    case 'ping':
      return { to: addressOf(action.host, undefined), protocol: 'icmp' }
    case 'command':
      throw new InputError([{ message: 'a command makes it' }])
  }
}

function headOf({
  url,
  method = 'GET',
  headers,
  http,
  insecure = false,
}: Extract<Action, { readonly kind: 'curl' }>): RequestHead {
  const { hostname, pathname, search, protocol } = new URL(url)
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1]
  const host = given ?? hostname
  return {
    ...{ secure: protocol === 'https:', host: splitPort(host)?.host ?? host, target: `${pathname}${search}` },
    ...{ method, headers },
    ...(protocol === 'https:' && !insecure && { verifies: true }),
    ...(http === 2 && { http2: true }),
  }
}
