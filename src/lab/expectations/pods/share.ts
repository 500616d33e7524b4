import * as z from 'zod'
import type { PodView } from '../../../results/events.js'
import { exchangesOf, type Exchange } from '../../steps/exchanges.js'
import type { CheckContext } from '../../types.js'
import { shareBounds, smallestRepeat, type ShareBounds } from './binomial.js'
import { outcomeWords, servingPod } from '../evidence.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { reference, references } from '../objects/references.js'
import { tally } from './tally.js'

const schema = z.union([
  references,
  z.strictObject({ service: reference.describe('All pods of this Service.') }),
])

/** `share: {service: web}`: over many requests every pod gets its share of a uniform random choice. */
export const share = stepKind({
  key: 'share',
  description:
    'Each of these pods answered an equal share of the requests, and no other pod answered: a Service, a selector, or a list of pods.',
  needs: { packets: true },
  actions: ['curl', 'nc', 'load', 'stop'],
  schema,
  refuse: (_, { repeat }) => tooFew(repeat, 2),
  resolve: (given, resolver) => {
    const isService = typeof given === 'object' && 'service' in given
    const texts = isService ? [given.service] : [given].flat()
    const pods = (isService ? resolver.within('service') : resolver)
      .pods(texts)
      .flatMap(({ pod }) => pod ?? [])
    const words = texts.join(', ')
    // An unknown name has been reported already. What a Service or selector has is a matter of the lab: the step fails.
    const { names } = resolver
    const ofService = texts.some((text) => text.includes('=') || 'found' in names.lookup(text, ['service']))
    if (pods.length === 1 && !isService && !ofService)
      resolver.problem(`share needs two pods at least; ${words} is one`)
    const refusal = pods.length > 1 ? tooFew(resolver.repeat, pods.length) : undefined
    if (refusal) resolver.problem(refusal.message, refusal.hint)
    const bounds: ShareBounds =
      pods.length > 1 ? shareBounds(resolver.repeat, pods.length) : { least: 0, most: 0 }
    return { words, pods, bounds, requests: resolver.repeat }
  },
  describe: ({ words, pods, bounds, requests }) => ({
    name: `each of the ${pods.length} pods of ${words} gets a share`,
    expected:
      pods.length < 2
        ? `two pods at least; there ${pods.length === 1 ? `is only ${pods[0]?.name}` : 'is none'}`
        : `${bounds.least} to ${bounds.most} of ${requests} requests for each of ${pods.map(({ name }) => name).join(', ')}`,
  }),
  evaluate: ({ pods, bounds, requests }, seen, context) => {
    const exchanges = exchangesOf(seen)
    const counts = new Map(pods.map((pod) => [key(pod), 0]))
    const strays: string[] = []
    for (const exchange of exchanges) {
      const pod = exchange.request.outcome === 'answered' ? servingPod(exchange, context) : undefined
      const count = pod && counts.get(key(pod))
      if (pod && count !== undefined) counts.set(key(pod), count + 1)
      else strays.push(strayWords(exchange, pod))
    }
    const within = [...counts.values()].every((count) => count >= bounds.least && count <= bounds.most)
    const shares = pods.map((pod) => `${pod.name} ${counts.get(key(pod)) ?? 0}`).join(', ')
    const others = strays.length === 0 ? '' : `; ${strays.length} by none of them: ${tally(strays)}`
    return {
      ok: pods.length > 1 && within && strays.length === 0 && exchanges.length === requests,
      observed: `${shares}, of ${exchanges.length}${others}`,
    }
  },
  look: (_, seen, context: CheckContext) => lookAtRules(seen, context, firstNode(seen, context)),
})

function tooFew(repeat: number, pods: number) {
  const smallest = smallestRepeat(pods)
  if (repeat >= smallest) return undefined
  return {
    message: `repeat ${repeat} is too small for a share: by luck alone one of ${pods} pods may get no request`,
    hint: `repeat ${smallest} is the smallest that works`,
  }
}

function key({ namespace, name }: PodView): string {
  return `${namespace}/${name}`
}

function strayWords({ request }: Exchange, pod: PodView | undefined): string {
  if (request.outcome !== 'answered') return outcomeWords(request)
  return pod ? pod.name : 'an answer that no pod could be seen to give'
}
