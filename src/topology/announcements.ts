import type { Announcement } from '../cluster/loadBalancers.js'
import type { NodePlace, Topology, Place, SandboxFile, Stage } from './types.js'
import { interfaceIndex } from './layOut.js'

const folder = '/run/vethlab/announce'

/**
 * Drops traffic to an announced address that belongs to no Service. The kernel answers ARP for another host only
 * if its own route there leaves by another device than the request's (arp_process in net/ipv4/arp.c).
 */
const device = 'announced'

/** Known from the start, so that a capture shows its traffic. */
/** The MAC address of no interface: what reaches the device of announced addresses is lost. */
export const announcedMac = '02:00:00:00:00:01'

/** Nodes and clients have on-link routes to the load balancers' addresses. */
export function planPool({ nodes, clients, families, ranges }: Topology): Stage {
  const places = [...nodes, ...clients]
  const lines = families.map((family) => `route add ${ranges.loadBalancers[family]} dev eth0`)
  return {
    name: "the load balancers' addresses on the wire",
    files: places.map((place) => batch('pool', place, lines)),
    commands: [inEach('pool', places)],
  }
}

/**
 * Lets nodes answer for others, immediately instead of after a random delay. Uses `ip ntable`, because namespaces of
 * ordinary users do not have the sysctls of neighbours.
 */
export function planAnswering({ nodes, families }: Topology): Stage {
  const withIPv6 = families.includes('IPv6')
  const lines = [
    `link add name ${device} index ${interfaceIndex.announced} type bridge`,
    ...(withIPv6 ? [`link set dev ${device} addrgenmode none`] : []),
    `link set ${device} up`,
    ...families.map((family) => `ntable change name ${neighbours[family]} dev eth0 proxy_delay 0`),
  ]
  const sysctl = [...enter, 'sysctl', '-q', '-w', 'net.ipv6.conf.eth0.proxy_ndp=1']
  return {
    name: 'devices for addresses of load balancers',
    files: nodes.map((node) => batch('answering', node, lines)),
    commands: [
      inEach('answering', nodes),
      ...(withIPv6 ? [{ argv: sysctl, each: nodes.map(({ netns }) => netns) }] : []),
    ],
  }
}

const neighbours = { IPv4: 'arp_cache', IPv6: 'ndisc_cache' } as const

/**
 * Has nodes answer ARP and neighbour discovery for addresses, or no longer do so (proxy entries, ip-neighbour(8)).
 * `turn` separates the files of one change from those of the next.
 */
export function planAnnouncements(
  { nodes }: Topology,
  before: readonly Announcement[],
  after: readonly Announcement[],
  turn: number,
): Stage {
  const own = String(turn)
  const lines = (node: NodePlace) => [
    ...only(before, after, node).flatMap(({ address }) => [
      `neigh del proxy ${address} dev eth0`,
      `neigh del ${address} dev ${device}`,
      `route del ${address} dev ${device}`,
    ]),
    ...only(after, before, node).flatMap(({ address }) => [
      `route add ${address} dev ${device}`,
      `neigh add ${address} lladdr ${announcedMac} dev ${device} nud permanent`,
      `neigh add proxy ${address} dev eth0`,
    ]),
  ]
  const changed = nodes.filter((node) => lines(node).length > 0)
  return {
    name: 'announced addresses of load balancers',
    files: changed.map((node) => batch(own, node, lines(node))),
    commands: [inEach(own, changed)],
  }
}

/** The addresses that a node announces in one and not in the other. */
function only(
  some: readonly Announcement[],
  others: readonly Announcement[],
  { name }: NodePlace,
): Announcement[] {
  return some.filter(
    (one) =>
      one.node === name && !others.some((other) => other.node === name && other.address === one.address),
  )
}

const enter = ['nsenter', '--net=/run/netns/{}']

function inEach(turn: string, places: readonly Place[]): Stage['commands'][number] {
  return { argv: [...enter, 'ip', '-batch', `${folder}/${turn}/{}`], each: places.map(({ netns }) => netns) }
}

function batch(turn: string, { netns }: Place, lines: readonly string[]): SandboxFile {
  return { path: `${folder}/${turn}/${netns}`, text: lines.map((line) => `${line}\n`).join('') }
}
