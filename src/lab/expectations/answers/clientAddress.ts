import { addressWords, placeName } from '../../names/places.js'
import { fits } from '../../names/resolver.js'
import { clientAsSeen, outcomeWords } from '../evidence.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { reference } from '../objects/references.js'

/** `clientAddress: node-a`: the client address that the pod saw. */
export const clientAddress = requestKind({
  key: 'clientAddress',
  description: 'The source address that the pod sees: an address in a packet.',
  needs: { packets: true },
  actions: ['curl', 'nc'],
  schema: reference,
  resolve: (given, resolver) => ({ given, who: resolver.who(given) }),
  describe: ({ given, who }) => ({ name: `the pod sees ${given} as its client`, expected: who.words }),
  evaluate: ({ who }, exchange, context) => {
    const client = clientAsSeen(exchange, context)
    const { request } = exchange
    const unknown = request.outcome === 'answered' ? 'no pod reported its client' : outcomeWords(request)
    return {
      ok: request.outcome === 'answered' && fits(who, client),
      observed: client ? addressWords(client, context) : unknown,
      flow: exchange.flows[0]?.index,
    }
  },
  look: (_, seen, context) => {
    const last = seen.flows.find((flow) => flow.outcome === 'answered')?.hops.at(-1)
    return lookAtPackets(last ? placeName(last.netns, context) : (context.step.from ?? ''))
  },
})
