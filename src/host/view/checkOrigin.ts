import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { HttpError } from './httpError.js'

/** How browsers reach a server. */
export interface Site {
  readonly scheme: 'http' | 'https'
  /** Names of the server besides its addresses and `localhost`, in lower case. */
  readonly names: readonly string[]
}

/**
 * Rejects requests that another web site has a browser send. The Host header must be an address, `localhost` or a name of this
 * server: with DNS rebinding it is the name of that site. Origin, if there is one, must be this server; so must be the site that
 * Fetch Metadata names, except for opening the page by a link. Throws HttpError.
 */
export function checkOrigin(
  { headers, method }: IncomingMessage,
  opensPage: boolean,
  { scheme, names }: Site,
): void {
  const { host = '', origin } = headers
  if (!isOwnHost(host, names)) throw new HttpError(403, `the host "${host}" is not an address of this server`)
  if (origin !== undefined && origin.toLowerCase() !== `${scheme}://${host.toLowerCase()}`)
    throw new HttpError(403, `requests of the origin "${origin}" are not allowed`)
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'same-origin' || site === 'none') return
  const isLink = opensPage && method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
  if (!isLink) throw new HttpError(403, 'requests of other sites are not allowed')
}

function isOwnHost(host: string, names: readonly string[]): boolean {
  const [, bracketed, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6
  return name !== undefined && (isIP(name) === 4 || ['localhost', ...names].includes(name.toLowerCase()))
}
