import { path } from '../exchange.js'
import { NetfilterMap } from '../NetfilterMap.js'

/** What the packet of the request that is shown meets on a host. */
export function PathPane() {
  return path.value === undefined ? null : <NetfilterMap />
}
