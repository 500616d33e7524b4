import * as z from 'zod'
import { addressWords, isPlace, placeName } from '../../names/places.js'
import { fits } from '../../names/resolver.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { reference } from '../objects/references.js'

const schema = z.strictObject({
  by: reference.describe('The node of the kube-proxy.'),
  to: reference.describe(
    'Destination of the second connection: an address in a packet; for a Service, an address of its endpoints.',
  ),
})

/** `relayed: {by: node-a, to: web}`: kube-proxy terminated the connection and made a second one. */
export const relayed = requestKind({
  key: 'relayed',
  description:
    'Mode userspace: the kube-proxy of a node accepted the request and opened a second connection for it.',
  needs: { packets: true },
  actions: ['curl', 'nc'],
  schema,
  resolve: ({ by, to }, resolver) => ({
    words: `by ${by} to ${to}`,
    by: resolver.within('by').one(by, ['node']),
    to: resolver.within('to').who(to, 'endpoints'),
  }),
  describe: ({ words, by, to }) => ({
    name: `relayed ${words}`,
    expected: `a second connection, from ${by?.label ?? '?'} to ${to.words}`,
  }),
  evaluate: ({ by, to }, { flows, relay }, context) => {
    const first = relay?.flow.hops[0]
    if (relay === undefined || first === undefined)
      return { ok: false, observed: 'no second connection', flow: flows[0]?.index }
    const { source, destination } = relay.flow
    return {
      ok: by !== undefined && isPlace(by, first.netns, context) && fits(to, destination),
      observed: `at ${placeName(first.netns, context)}: ${addressWords(source, context)} → ${addressWords(destination, context)}`,
      flow: relay.index,
    }
  },
  look: ({ by }) => lookAtPackets(by?.name ?? ''),
})
