import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { rangeContains, rangeOf } from '../../net/ranges.js'
import type { Route } from '../../topology/network.js'

/** The route of the main table to an address, of the longest range; not the default route. */
export function mainRoute(routes: readonly Route[], family: IpFamily, address: string): Route | undefined {
  return routes
    .filter(({ table, kind = 'unicast', to }) => {
      if (table !== undefined || kind !== 'unicast' || to === 'default' || familyOf(to) !== family)
        return false
      return rangeContains(rangeOf(to.includes('/') ? to : `${to}/${bitsOf(to)}`), address)
    })
    .toSorted((a, b) => lengthOf(b.to) - lengthOf(a.to))[0]
}

/** The prefix length of a range or address. */
export function lengthOf(to: string): number {
  return Number(/\/(\d+)$/.exec(to)?.[1] ?? bitsOf(to))
}

/** The bits of the addresses of a family. */
export function bitsOf(address: string): number {
  return familyOf(address) === 'IPv4' ? 32 : 128
}
