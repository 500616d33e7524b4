import { isPlace } from '../../names/places.js'
import { evaluatePaths } from './hops.js'
import { placesKind } from './placesKind.js'

/** `avoids: node-b`: request and response are seen at none of these places. */
export const avoids = placesKind(
  'avoids',
  'around',
  'Places that are neither on the path nor on the return path.',
  (places, exchange, context) => {
    const met = exchange.flows.find(({ flow }) =>
      [...flow.hops, ...flow.replyHops].some((hop) =>
        places.some((place) => place && isPlace(place, hop.netns, context)),
      ),
    )
    if (met) return evaluatePaths({ ...exchange, flows: [met] }, context, () => false)
    return evaluatePaths(exchange, context, (hops) => hops.length > 0)
  },
)
