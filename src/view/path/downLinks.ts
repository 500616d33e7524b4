import type { Link, LinkEnd, Network } from '../../topology/network.js'
import type { ShownPlace } from '../report/document.js'

/**
 * The network namespaces whose link passes no packets, because one of its ends is down, or the bridge on the other side is: of nodes
 * and clients the link to the fabric, of pods that to their node.
 */
export function downLinks(
  { links, ports }: Pick<Network, 'links' | 'ports'>,
  places: Readonly<Record<string, Pick<ShownPlace, 'kind'>>>,
): string[] {
  const down = new Set(links.flatMap(endsOf).filter(isDown).map(keyOf))
  const bridges = new Map(ports.map(({ netns, device, bridge }) => [keyOf({ netns, name: device }), bridge]))
  const passes = (end: LinkEnd) => {
    const bridge = bridges.get(keyOf(end))
    return !isDown(end) && (bridge === undefined || !down.has(keyOf({ netns: end.netns, name: bridge })))
  }
  const found = links.flatMap((link) => {
    if (link.type.kind !== 'veth') return []
    const ends = endsOf(link)
    const netns = ownerOf(ends, places)
    return netns === undefined || ends.every(passes) ? [] : [netns]
  })
  return [...new Set(found)]
}

/** The place at the far end of a link: its other end is on the fabric, or on the node of a pod. */
function ownerOf(
  ends: readonly LinkEnd[],
  places: Readonly<Record<string, Pick<ShownPlace, 'kind'>>>,
): string | undefined {
  const kindOf = ({ netns }: LinkEnd) => (netns === undefined ? undefined : places[netns]?.kind)
  const isOnFabric = ends.some(({ netns }) => netns === undefined)
  return ends.find((end) => kindOf(end) === 'pod' || (isOnFabric && kindOf(end) !== undefined))?.netns
}

function endsOf({ type, ...link }: Link): LinkEnd[] {
  return type.kind === 'veth' ? [link, type.peer] : [link]
}

function isDown({ down }: LinkEnd): boolean {
  return down === true
}

function keyOf({ netns = '', name }: Pick<LinkEnd, 'netns' | 'name'>): string {
  return `${netns} ${name}`
}
