import { isPlace } from '../../names/places.js'
import { judgeWays } from './hops.js'
import { placesKind } from './placesKind.js'

/** `crosses: node-b`: the request passes these places, in whatever order. */
export const crosses = placesKind(
  'crosses',
  'across',
  'Places on the path of the request, in any order.',
  (places, exchange, context) =>
    judgeWays(exchange, context, (hops) =>
      places.every((place) => place && hops.some((hop) => isPlace(place, hop.netns, context))),
    ),
)
