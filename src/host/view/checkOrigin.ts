import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { HttpError } from './httpError.js'

/**
 * Rejects requests that another web site has a browser send. The Host header must be an address or `localhost`: with DNS
 * rebinding it is the name of that site. Origin, if there is one, must be this server; so must be the site that Fetch
 * Metadata names, except for opening the page by a link. Throws HttpError.
 */
export function checkOrigin({ headers, method }: IncomingMessage, opensPage: boolean): void {
  const { host = '', origin } = headers
  if (!isAddressOrLocalhost(host))
    throw new HttpError(403, `the host "${host}" is not an address of this server`)
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw new HttpError(403, `requests of the origin "${origin}" are not allowed`)
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'same-origin' || site === 'none') return
  const isLink = opensPage && method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
  if (!isLink) throw new HttpError(403, 'requests of other sites are not allowed')
}

function isAddressOrLocalhost(host: string): boolean {
  const [, bracketed, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6
  return name !== undefined && (name.toLowerCase() === 'localhost' || isIP(name) === 4)
}
