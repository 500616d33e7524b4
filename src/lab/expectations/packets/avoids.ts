import { isPlace } from '../../names/places.js'
import { judgePaths } from './hops.js'
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
    if (met) return judgePaths({ ...exchange, flows: [met] }, context, () => false)
    return judgePaths(exchange, context, (hops) => hops.length > 0)
  },
)
