import { isPlace } from '../../names/places.js'
import { judgeWays } from './hops.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { references } from '../objects/references.js'
import { resolvePlaces } from '../resolvePlaces.js'

/** `avoids: node-b`: the request is seen at none of these places, neither on the way there nor back. */
export const avoids = requestKind({
  key: 'avoids',
  description: 'Places where neither the request nor its answer is seen.',
  needs: { packets: true },
  schema: references,
  resolve: resolvePlaces,
  claim: ({ texts }) => ({
    name: `avoids ${texts.join(' and ')}`,
    expected: `a way around ${texts.join(' and ')}`,
  }),
  judge: ({ places }, exchange, context) => {
    const met = exchange.flows.find(({ flow }) =>
      [...flow.hops, ...flow.replyHops].some((hop) =>
        places.some((place) => place && isPlace(place, hop.netns, context)),
      ),
    )
    if (met) return { ...judgeWays({ ...exchange, flows: [met] }, context, () => false) }
    return judgeWays(exchange, context, (hops) => hops.length > 0)
  },
  look: ({ places }, _seen, context) => lookAtPackets(places[0]?.label ?? context.step.from ?? ''),
})
