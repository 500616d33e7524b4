import { basename } from 'node:path'
import t from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { rangeContains, rangeOf } from '../../src/net/ranges.js'
import type { LinkEnd, Network } from '../../src/topology/network.js'
import { networkOf } from '../../src/topology/networkOf.js'

/** Every end of a link, by `netns name`. */
function endsOf({ links }: Network): ReadonlyMap<string, LinkEnd> {
  const ends = links.flatMap(({ type, ...own }) => (type.kind === 'veth' ? [own, type.peer] : [own]))
  return new Map(ends.map((end) => [`${end.netns ?? ''} ${end.name}`, end]))
}

for (const lab of listLabs())
  t.test(`the network of ${basename(lab)} fits together`, async (t) => {
    const network = networkOf(prepareLab(lab).topology)
    const ends = endsOf(network)
    const nameOf = (netns: string | undefined, device: string) => `${netns ?? ''} ${device}`
    const isThere = (netns: string | undefined, device: string) =>
      device === 'lo' || ends.has(nameOf(netns, device))
    const { devices, ports, neighbours, routes, forwarding } = network
    const macs = new Set([...ends.values()].map(({ mac }) => mac))
    const addressesOn = (netns: string | undefined, device: string) =>
      devices
        .filter((one) => one.netns === netns && one.name === device)
        .flatMap(({ addresses }) => addresses)
    const onLink = routes.filter(({ via }) => via === undefined)

    t.strictSame(
      devices.filter(({ netns, name }) => !isThere(netns, name)),
      [],
      'devices are links',
    )
    t.strictSame(
      ports.filter(({ netns, device, bridge }) => !isThere(netns, device) || !isThere(netns, bridge)),
      [],
      'ports and their bridges are links',
    )
    t.strictSame(
      [...neighbours, ...forwarding].filter(
        ({ netns, device, mac }) => !isThere(netns, device) || !macs.has(mac),
      ),
      [],
      'neighbours have the MAC address of a link',
    )
    const unreachable = routes.filter(({ netns, device, via, onlink = false }) => {
      if (via === undefined || onlink) return !isThere(netns, device)
      const ranges = [
        ...addressesOn(netns, device).map(({ address, prefixLength }) => `${address}/${prefixLength}`),
        ...onLink.filter((one) => one.netns === netns && one.to.includes('/')).map(({ to }) => to),
      ]
      return !ranges.some((range) => rangeContains(rangeOf(range), via))
    })
    t.strictSame(unreachable, [], 'next hops are on the link')
    t.ok(routes.length > 0)
  })
