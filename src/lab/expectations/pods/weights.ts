import * as z from 'zod'
import type { PodView } from '../../../results/events.js'
import { exchangesOf } from '../../steps/exchanges.js'
import { countBounds, fewestRequests, luck, type ShareBounds } from './binomial.js'
import { outcomeWords, servingPod } from '../evidence.js'
import { stepKind, type Refusal } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { reference } from '../objects/references.js'
import { tally } from './tally.js'

const schema = z
  .record(reference, z.int().min(0).max(1_000_000))
  .refine((given) => Object.keys(given).length > 1, 'needs two at least, each with its weight')
  .refine((given) => sum(Object.values(given)) > 0, 'needs one weight above 0')

/** Pods that get a share of the requests together. */
interface Group {
  readonly words: string
  readonly weight: number
  readonly pods: readonly (PodView | undefined)[]
  readonly bounds: ShareBounds
}

/** `weights: {app=old: 90, app=new: 10}`: each request goes to a random one of these, in proportion to their weights. */
export const weights = stepKind({
  key: 'weights',
  description:
    'The requests are distributed at random in proportion to these weights: selectors, Services or pods with a number; 0 for none.',
  needs: { packets: true },
  actions: ['curl', 'nc'],
  schema,
  resolve: (given, resolver): readonly Group[] => {
    const groups = Object.entries(given).map(([words, weight]) => ({
      words,
      weight,
      pods: resolver
        .within(words)
        .pods([words])
        .map(({ pod }) => pod),
      bounds: boundsOf(given, weight, resolver.repeat),
    }))
    for (const [index, { words, pods }] of groups.entries())
      for (const other of groups.slice(0, index))
        if (pods.some((pod) => pod !== undefined && other.pods.includes(pod)))
          resolver.within(words).problem(`${words} and ${other.words} have a pod in common`)
    const refusal = tooFew(given, resolver.repeat)
    if (refusal) resolver.problem(refusal.message, refusal.hint)
    return groups
  },
  describe: (groups) => ({
    name: `shares by weight: ${groups.map(({ words, weight }) => `${words} ${weight}`).join(', ')}`,
    expected: groups.map(({ words, bounds }) => `${words} ${rangeWords(bounds)}`).join(', '),
  }),
  evaluate: (groups, seen, context) => {
    const served = exchangesOf(seen).map((exchange) => {
      const pod = exchange.request.outcome === 'answered' ? servingPod(exchange, context) : undefined
      const isOf = ({ pods }: Group) => pods.some((one) => pod !== undefined && isSame(one, pod))
      return { group: groups.find(isOf), words: pod?.name ?? outcomeWords(exchange.request) }
    })
    const counted = groups.map((group) => ({
      ...group,
      count: served.filter((one) => one.group === group).length,
    }))
    const strays = served.filter(({ group }) => group === undefined).map(({ words }) => words)
    const within = counted.every(({ bounds, count }) => count >= bounds.least && count <= bounds.most)
    const others = strays.length === 0 ? '' : `; ${strays.length} by none of them: ${tally(strays)}`
    return {
      ok: within && strays.length === 0 && served.length > 0,
      observed: `${counted.map(({ words, count }) => `${words} ${count}`).join(', ')}, of ${served.length}${others}`,
    }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})

/** By the union bound over both tails of every group with a weight. */
function boundsOf(given: Readonly<Record<string, number>>, weight: number, requests: number): ShareBounds {
  return weight === 0
    ? { least: 0, most: 0 }
    : countBounds(requests, weight / sum(Object.values(given)), tailOf(given))
}

function tooFew(given: Readonly<Record<string, number>>, repeat: number): Refusal | undefined {
  const weighty = Object.values(given).filter((weight) => weight > 0)
  const smallest = fewestRequests(Math.min(...weighty) / sum(weighty), tailOf(given))
  if (repeat >= smallest) return undefined
  return {
    message: `repeat ${repeat} is too small for these weights: by luck alone the smallest may get no request`,
    hint: `repeat ${smallest} is the smallest that works`,
  }
}

function tailOf(given: Readonly<Record<string, number>>): number {
  return luck / (2 * Object.values(given).filter((weight) => weight > 0).length)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function rangeWords({ least, most }: ShareBounds): string {
  return least === most ? String(least) : `${least} to ${most}`
}

function isSame(one: PodView | undefined, other: PodView): boolean {
  return one?.namespace === other.namespace && one.name === other.name
}
