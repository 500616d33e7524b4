import { groupBy } from '../../../groupBy.js'
import { familyOf } from '../../../net/ipFamily.js'
import { parseRange, rangeContains, rangeOf } from '../../../net/ranges.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { Route } from '../../../topology/network.js'
import { nodeCommand, type Fact } from './fact.js'

/** Nodes without a route to the pods of another node but the default one, where other routes of nodes lead to pods of nodes. */
export function routes(snapshot: Snapshot): Fact[] {
  const { basis, model } = snapshot
  const { nodes } = model.topology
  // of a lab, the predicted requests show it
  if (basis !== 'attached') return []
  const ranges = new Map(
    model.cluster.nodes.map(({ metadata, spec }) => [
      metadata.name,
      (spec?.podCIDRs ?? []).filter((cidr) => parseRange(cidr) !== undefined),
    ]),
  )
  const ownRoutes = groupBy(snapshot.state.network.routes, ({ netns }) => netns)
  const others = nodes.flatMap((from) =>
    nodes.flatMap((to) =>
      from === to
        ? []
        : (ranges.get(to.name) ?? []).map((cidr) => ({
            from,
            to,
            cidr,
            has: leads(ownRoutes.get(from.netns) ?? [], cidr),
          })),
    ),
  )
  // in a cloud, the router of the nodes can have the routes
  if (!others.some(({ has }) => has)) return []
  return others.flatMap(({ from, to, cidr, has }): Fact[] => {
    const via = to.addresses.find(({ family }) => family === familyOf(cidr))?.address
    if (has || via === undefined) return []
    return [
      {
        code: 'route-missing',
        says: `${from.name} has no route to ${cidr}, the pods of ${to.name}, but its default route`,
        node: from.name,
        fixes: [
          {
            says: `a route to ${cidr} through ${to.name}, which the CNI plugin writes`,
            command: nodeCommand(snapshot, from.name, `ip route add ${cidr} via ${via}`),
          },
        ],
      },
    ]
  })
}

/** Whether one of the routes of a node, in any table, leads to an address of a range. */
function leads(routes: readonly Route[], cidr: string): boolean {
  const range = rangeOf(cidr)
  return routes.some(({ to }) => {
    if (to === 'default' || familyOf(to) !== range.family) return false
    const [address = ''] = to.split('/')
    const isInside = rangeContains(range, address)
    const other = to.includes('/') ? parseRange(to) : undefined
    return (
      isInside ||
      (other !== undefined && other.prefixLength > 0 && rangeContains(other, cidr.replace(/\/.*/, '')))
    )
  })
}
