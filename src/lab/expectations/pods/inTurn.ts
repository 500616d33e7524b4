import { exchangesOf } from '../../steps/exchanges.js'
import { outcomeWords, podWords, servingPod } from '../evidence.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { references } from '../objects/references.js'

/** `inTurn: web`: these pods serve one after the other, and then again in the same order. */
export const inTurn = stepKind({
  key: 'inTurn',
  description: 'The pods answer round robin: a Service, a selector, or a list of pods.',
  needs: { packets: true },
  actions: ['curl', 'nc'],
  schema: references,
  resolve: (given, resolver) => {
    const texts = [given].flat()
    const pods = resolver.pods(texts).flatMap(({ pod }) => pod ?? [])
    const words = texts.join(', ')
    // what a Service or selector has is a matter of the lab: the step fails
    const ofService = texts.some(
      (text) => text.includes('=') || 'found' in resolver.names.lookup(text, ['service']),
    )
    if (pods.length === 1 && !ofService) resolver.problem(`inTurn needs two pods at least; ${words} is one`)
    if (pods.length > 1 && resolver.repeat < 2 * pods.length)
      resolver.problem(
        `repeat ${resolver.repeat} is too small: a second round shows that ${pods.length} pods have turns`,
        `repeat ${2 * pods.length} is the smallest that works`,
      )
    return { words, names: pods.map(({ name }) => name) }
  },
  describe: ({ words, names }) => ({
    name: `the ${names.length} pods of ${words} have turns`,
    expected:
      names.length < 2
        ? `two pods at least; there ${names.length === 1 ? `is only ${names[0]}` : 'is none'}`
        : `each of ${names.join(', ')} once in every ${names.length} requests, in one order`,
  }),
  evaluate: ({ names }, seen, context) => {
    const served = exchangesOf(seen).map((exchange) => {
      const pod = exchange.request.outcome === 'answered' ? servingPod(exchange, context) : undefined
      return { name: pod?.name, words: pod ? podWords(pod) : outcomeWords(exchange.request) }
    })
    const round = new Set(served.slice(0, names.length).map(({ name }) => name))
    const ok =
      names.length > 1 &&
      served.length >= 2 * names.length &&
      names.every((name) => round.has(name)) &&
      served.every(({ name }, index) => index < names.length || name === served[index - names.length]?.name)
    return { ok, observed: served.map(({ words }) => words).join(', ') }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})
