import ipaddr from 'ipaddr.js'
import { hostText } from './hostText.js'
import type { SocketAddress } from './socketAddress.js'

/** The canonical form of an IP address, for comparisons: RFC 5952 for IPv6. */
export function addressText(address: string): string {
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address).toRFC5952String() : address
}

/** True for an IPv4 address in four parts or an IPv6 address, without brackets or port. */
export function isAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true
  // ipaddr takes long for `10.0.0.1:80`, of which a lab has many; each IPv6 address has two colons
  const mayBeIPv6 = text.indexOf(':') !== text.lastIndexOf(':')
  return mayBeIPv6 && ipaddr.IPv6.isValid(text) && !text.includes('%')
}

/** `10.0.0.1:80`, `[fd00::1]:80`: the form of Go's net.JoinHostPort, which kube-proxy uses. */
export function joinHostPort(address: string, port: number): string {
  return `${hostText(address)}:${port}`
}

/** As `joinHostPort`; without a port, only the address. */
export function socketText({ address, port }: SocketAddress): string {
  return port === undefined ? address : joinHostPort(address, port)
}

/** Splits a host (an address, a name, `*`) from its optional port; undefined when the text is invalid. */
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

/** Parses a socket (`10.0.0.1:80`, `[fd00::1]:80`); undefined when the text is invalid. The port is optional. */
export function parseSocket(text: string): SocketAddress | undefined {
  const split = splitPort(text)
  if (split === undefined || !isAddress(split.host)) return undefined
  return { address: split.host, ...(split.port === undefined ? {} : { port: split.port }) }
}

/** Splits `host:port` and `[host]:port`; both parts may be empty or invalid. Mirrors Go's net.SplitHostPort. */
export function splitHostPort(text: string): { readonly host: string; readonly port: string } | undefined {
  const groups = /^(?:\[(?<bracketed>[^[\]]*)\]|(?<plain>[^:[\]]*)):(?<port>[^:[\]]*)$/.exec(text)?.groups
  if (groups === undefined) return undefined
  const { bracketed, plain = '', port = '' } = groups
  return { host: bracketed ?? plain, port }
}
