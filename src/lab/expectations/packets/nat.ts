import * as z from 'zod'
import { requestKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { natWords } from './natFacts.js'

/** `nat: none`: both addresses stay unchanged on the whole path and return path. */
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
    const changed = flows.find(({ flow }) => flow.nat.length + flow.replyNat.length > 0)
    if (changed) {
      // Rewrites of the response follow from those of the request; without these they are reported.
      const { nat, replyNat } = changed.flow
      return { ok: false, observed: natWords(nat.length > 0 ? nat : replyNat, context), flow: changed.index }
    }
    return { ok: true, observed: `no rewrite in ${first.flow.hops.length} sightings`, flow: first.index }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})
