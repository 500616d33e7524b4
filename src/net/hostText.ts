/** An address as the host of a URL: IPv6 in brackets (RFC 3986). */
export function hostText(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
