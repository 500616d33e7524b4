import type { SocketAddress } from './socketAddress.js'

/** A socket address as a key of maps and sets. */
export function socketKey({ address, port = 0 }: SocketAddress): string {
  return `${address} ${port}`
}
