import { isPlace } from '../../names/places.js'
import { judgeWays } from './hops.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { references } from '../objects/references.js'
import { resolvePlaces } from '../resolvePlaces.js'

/** `crosses: node-b`: the request passes these places, in whatever order. */
export const crosses = requestKind({
  key: 'crosses',
  description: 'Places that the request passes, in whatever order.',
  needs: { packets: true },
  schema: references,
  resolve: resolvePlaces,
  claim: ({ texts }) => ({
    name: `crosses ${texts.join(' and ')}`,
    expected: `a way across ${texts.join(' and ')}`,
  }),
  judge: ({ places }, exchange, context) =>
    judgeWays(exchange, context, (hops) =>
      places.every((place) => place && hops.some((hop) => isPlace(place, hop.netns, context))),
    ),
  look: ({ places }, _seen, context) => lookAtPackets(places[0]?.label ?? context.step.from ?? ''),
})
