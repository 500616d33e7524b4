import type { LinkedPlace, LinkOf } from '../../lab/pcap/links.js'
import { linksOf } from '../../lab/pcap/links.js'
import type { UpProxyState, UpState } from '../../up/upState.js'
import { version } from '../../version.js'
import type { LiveLab, LivePlace } from './api.js'

/** A running lab as a page shows it that may change it. */
export function liveLab(
  { lab, title, startedAt, view, places, firstRequest }: UpState,
  { inputs, backend, families }: UpProxyState,
  downLinks: readonly string[],
): LiveLab {
  return {
    ...{ vethlab: version(), lab, title, backend, families, startedAt, downLinks, topology: view },
    readOnly: false,
    firstRequest,
    mode: inputs?.config.mode,
    places: livePlaces(linkedPlaces(places)),
  }
}

/** Places by network namespace, with the interfaces whose packets are shown. */
export function livePlaces(linked: readonly LinkedPlace[]): LiveLab['places'] {
  const linkOf = linksOf(linked, false)
  return Object.fromEntries(linked.map((place) => [place.netns, livePlace(place, linkOf)]))
}

/** The places of a lab that have their own network namespace: a pod on the host’s network is in that of its node. */
export function linkedPlaces(places: UpState['places']): LinkedPlace[] {
  const first = new Map(places.toReversed().map((place) => [place.netns, place]))
  return [...first.values()].reverse().map((place) => ({ ...place, interfaces: new Map(place.interfaces) }))
}

function livePlace(place: LinkedPlace, linkOf: LinkOf): LivePlace {
  const { kind, name, namespace, node } = place
  const shown = [...place.interfaces].filter(([index]) => linkOf(place, index) !== undefined)
  return { kind, name, namespace, node, interfaces: shown.map(([, device]) => device) }
}
