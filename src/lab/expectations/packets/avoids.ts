import { isPlace } from '../../names/places.js'
import { judgeWays } from './hops.js'
import { placesKind } from './placesKind.js'

/** `avoids: node-b`: the request is seen at none of these places, neither on the way there nor back. */
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
    if (met) return judgeWays({ ...exchange, flows: [met] }, context, () => false)
    return judgeWays(exchange, context, (hops) => hops.length > 0)
  },
)
