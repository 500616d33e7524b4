import { hostText } from '../../net/hostText.js'
import type { SocketAddress } from '../../net/socketAddress.js'

/** `10.0.0.1:80`, `[fd00::1]:80`. Unlike net/socketText.ts it adds no parser of addresses to the page. */
export function shownSocket({ address, port }: SocketAddress): string {
  return port === undefined ? address : `${hostText(address)}:${port}`
}
