import * as z from 'zod'
import { exchangesOf } from '../../steps/exchanges.js'
import { outcomeWords, podWords, servingPod } from '../evidence.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { tally } from './tally.js'

/** `samePod: true`: one pod answered all requests, as with session affinity. */
export const samePod = stepKind({
  key: 'samePod',
  description: 'true: one pod answered every request; false: several pods did.',
  needs: { packets: true },
  actions: ['curl', 'nc', 'load', 'stop'],
  schema: z.boolean(),
  refuse: (_, { repeat }) =>
    repeat > 1
      ? undefined
      : { message: 'samePod needs several requests', hint: 'repeat 2 is the smallest that works' },
  resolve: (given) => given,
  describe: (wanted) =>
    wanted
      ? { name: 'one pod answers all requests', expected: 'the same pod for every request' }
      : { name: 'several pods answer', expected: 'at least two pods' },
  evaluate: (wanted, seen, context) => {
    const exchanges = exchangesOf(seen)
    const pods = exchanges.map((exchange) =>
      exchange.request.outcome === 'answered' ? servingPod(exchange, context) : undefined,
    )
    const known = pods.every((pod) => pod !== undefined)
    const words = exchanges.map(({ request }, index) => {
      const pod = pods[index]
      if (pod) return podWords(pod)
      return request.outcome === 'answered'
        ? 'an answer that no pod could be seen to give'
        : outcomeWords(request)
    })
    const same = new Set(pods).size === 1
    return { ok: known && exchanges.length > 0 && same === wanted, observed: tally(words) }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})
