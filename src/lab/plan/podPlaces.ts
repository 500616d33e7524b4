import type { Cluster, Pod } from '../../cluster/types.js'
import { placeKey, podKey } from '../../topology/followPods.js'
import type { Place } from '../../topology/types.js'

/** The pods whose places are among these. */
export function podPlaces(cluster: Cluster, places: readonly Place[]): { pod: Pod; place: Place }[] {
  const byKey = new Map(places.filter(({ kind }) => kind === 'pod').map((place) => [placeKey(place), place]))
  return cluster.pods.flatMap((pod) => {
    const place = byKey.get(podKey(pod))
    return place === undefined ? [] : [{ pod, place }]
  })
}
