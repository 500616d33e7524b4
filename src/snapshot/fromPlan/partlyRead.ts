import type { Link, LinkEnd, Network } from '../../topology/network.js'
import { withMeaning } from '../meaning.js'
import { fabricPlace, type TraceState } from '../model/state.js'
import { joinPlaces } from '../readings/joinPlaces.js'
import type { ReadPlace } from '../readings/readPlace.js'

/** The state of a lab of which some namespaces were read; the others have what the plan gives them. */
export function partlyRead(planned: TraceState, places: readonly ReadPlace[]): TraceState {
  const names = new Set(places.map(({ netns }) => netns ?? fabricPlace))
  const isRead = (netns: string | undefined) => names.has(netns ?? fabricPlace)
  const read = withMeaning(joinPlaces(places), planned)
  const list = <One extends { readonly netns: string | undefined }>(
    own: readonly One[],
    of: readonly One[],
  ) => [...own, ...of.filter(({ netns }) => !isRead(netns))]
  const map = <Value>(
    own: ReadonlyMap<string, Value> = new Map(),
    of: ReadonlyMap<string, Value> = new Map(),
  ) => new Map([...own, ...[...of].filter(([name]) => !isRead(name))])
  const { network } = read
  return {
    ...read,
    network: {
      links: [...network.links, ...plannedLinks(planned.network.links, places, isRead)],
      devices: list(network.devices, planned.network.devices),
      ports: list(network.ports, planned.network.ports),
      neighbours: list(network.neighbours, planned.network.neighbours),
      routes: list(network.routes, planned.network.routes),
      forwarding: list(network.forwarding, planned.network.forwarding),
    } satisfies Network,
    rules: map(read.rules, planned.rules),
    nft: map(read.nft, planned.nft),
    sets: map(read.sets, planned.sets),
    servers: map(read.servers, planned.servers),
    sysctls: map(read.sysctls, planned.sysctls),
    listeners: list(read.listeners, planned.listeners),
    programs: map(read.programs, planned.programs),
    announced: list(read.announced, planned.announced),
    policies: list(read.policies ?? [], planned.policies ?? []),
    opaque: map(read.opaque, planned.opaque),
    undecided: map(read.undecided, planned.undecided),
  }
}

/** The planned links with an end that was not read; an end that was read is as it is now, and a link without it does not exist. */
function plannedLinks(
  links: readonly Link[],
  places: readonly ReadPlace[],
  isRead: (netns: string | undefined) => boolean,
): Link[] {
  const keyOf = ({ netns = fabricPlace, name }: Pick<LinkEnd, 'netns' | 'name'>) => `${netns} ${name}`
  const listed = new Map(
    places.flatMap(({ interfaces }) => interfaces?.links.map((one) => [keyOf(one), one] as const) ?? []),
  )
  const endNow = (end: LinkEnd): LinkEnd | undefined => {
    if (!isRead(end.netns)) return end
    const now = listed.get(keyOf(end))
    if (now === undefined) return undefined
    const { netns, name } = end
    const { index, mac, mtu, up, answersArp } = now
    return {
      ...{ netns, name, index, mac, mtu },
      ...(!up && { down: true }),
      ...(!answersArp && { silent: true }),
    }
  }
  return links.flatMap((link): Link[] => {
    const { type, ...own } = link
    if (type.kind !== 'veth') return isRead(link.netns) ? [] : [link]
    if (isRead(link.netns) && isRead(type.peer.netns)) return []
    const [end, peer] = [endNow(own), endNow(type.peer)]
    return end === undefined || peer === undefined ? [] : [{ ...end, type: { kind: 'veth', peer } }]
  })
}
