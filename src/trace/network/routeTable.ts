import { prefixKey, type Network } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'

interface Routed {
  readonly to: Network
}

/** Routes of one prefix length, by the bits of their ranges; of two for one range, the first. */
interface SameLength<Route> {
  readonly prefixLength: number
  readonly routes: ReadonlyMap<number | string, Route>
}

/** A table of routes, in which the longest prefix is found by its bits: hosts of large clusters have one for every node. */
export class RouteTable<Route extends Routed> {
  readonly #lengths: Readonly<Record<IpFamily, readonly SameLength<Route>[]>>

  /** The most specific route comes first, and of those for one range the one that the kernel takes. */
  constructor(routes: readonly Route[]) {
    this.#lengths = { IPv4: byLength(routes, 'IPv4'), IPv6: byLength(routes, 'IPv6') }
  }

  /** The route of an address; undefined if there is none. */
  find(address: string): Route | undefined {
    for (const { prefixLength, routes } of this.#lengths[familyOf(address)]) {
      const key = prefixKey(address, prefixLength)
      const found = key === undefined ? undefined : routes.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function byLength<Route extends Routed>(routes: readonly Route[], family: IpFamily): SameLength<Route>[] {
  const found: { prefixLength: number; routes: Map<number | string, Route> }[] = []
  for (const route of routes) {
    const { prefixLength, base } = route.to
    const key = route.to.family === family ? prefixKey(base, prefixLength) : undefined
    if (key === undefined) continue
    let last = found.at(-1)
    if (last?.prefixLength !== prefixLength) found.push((last = { prefixLength, routes: new Map() }))
    if (!last.routes.has(key)) last.routes.set(key, route)
  }
  return found
}
