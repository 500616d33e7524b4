import ipaddr from 'ipaddr.js'
import type { SocketAddress } from './socketAddress.js'

/** An IP address in the one form that texts are compared in: RFC 5952 for IPv6. */
export function addressText(address: string): string {
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address).toRFC5952String() : address
}

/** True for an IPv4 address in four parts or an IPv6 address, without brackets or port. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
}

/** An address as the host of a URL: IPv6 in brackets (RFC 3986). */
export function hostText(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

/** `10.0.0.1:80`, `[fd00::1]:80`: as Go's net.JoinHostPort, and so kube-proxy, writes it. */
export function joinHostPort(address: string, port: number): string {
  return `${hostText(address)}:${port}`
}

/** The same; the address alone where there is no port. */
export function socketText({ address, port }: SocketAddress): string {
  return port === undefined ? address : joinHostPort(address, port)
}

/** A host (an address, a name, `*`) and the port after it, if there is one; undefined when it is neither. */
export function splitPort(text: string): { readonly host: string; readonly port?: number } | undefined {
  if (isAddress(text)) return { host: addressText(text) }
  const groups = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:[\]]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups
  if (groups === undefined) return undefined
  const { bracketed, plain = '', port } = groups
  if (bracketed !== undefined && !isAddress(bracketed)) return undefined
  const host = bracketed === undefined ? plain : addressText(bracketed)
  if (port === undefined) return { host }
  return Number(port) > 65535 ? undefined : { host, port: Number(port) }
}

/** The text of a socket (`10.0.0.1:80`, `[fd00::1]:80`) as address and port; undefined when it is none. */
export function parseSocket(text: string): SocketAddress | undefined {
  const split = splitPort(text)
  if (split === undefined || !isAddress(split.host)) return undefined
  return { address: split.host, ...(split.port === undefined ? {} : { port: split.port }) }
}
