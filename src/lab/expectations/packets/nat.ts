import * as z from 'zod'
import { requestKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { natWords, newPortWords, rewritesIn } from './natFacts.js'

/** `nat: none`: no rule changes an address on the whole path and return path. */
export const nat = requestKind({
  key: 'nat',
  description: 'none: neither address changes on the path and the return path.',
  needs: { packets: true },
  schema: z.literal('none'),
  resolve: (given) => given,
  describe: () => ({ name: 'no NAT', expected: 'both addresses unchanged on the whole path' }),
  evaluate: (_, { flows }, context) => {
    const [first] = flows
    if (first === undefined) return { ok: false, observed: 'no packet of the request was seen' }
    const changed = flows
      .map(({ flow, index }) => ({ ...rewritesIn(flow), index }))
      .find(({ nat, replyNat }) => nat.length + replyNat.length > 0)
    if (changed !== undefined) {
      // Rewrites of the response follow from those of the request; without these they are reported.
      const { nat, replyNat, index } = changed
      return { ok: false, observed: natWords(nat.length > 0 ? nat : replyNat, context), flow: index }
    }
    const observed = `no rewrite in ${first.flow.hops.length} sightings${newPortWords(flows, context)}`
    return { ok: true, observed, flow: first.index }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})
