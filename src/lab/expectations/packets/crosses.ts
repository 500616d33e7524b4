import { isPlace } from '../../names/places.js'
import { evaluatePaths } from './hops.js'
import { placesKind } from './placesKind.js'

/** `crosses: node-b`: the request passes these places, in any order. */
export const crosses = placesKind(
  'crosses',
  'across',
  'Places on the path of the request, in any order.',
  (places, exchange, context) =>
    evaluatePaths(exchange, context, (hops) =>
      places.every((place) => place && hops.some((hop) => isPlace(place, hop.netns, context))),
    ),
)
