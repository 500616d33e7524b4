import * as z from 'zod'
import type { Flow } from '../../../packets/types.js'
import { nodeIn } from '../../names/places.js'
import type { CheckContext } from '../../types.js'
import { smallestRepeat } from '../pods/binomial.js'
import { podReached } from '../evidence.js'
import { stepKind } from '../kind.js'
import { lookAtPackets } from '../look.js'

const schema = z
  .strictObject({
    sameNode: z
      .boolean()
      .optional()
      .describe('true: at least one request was answered on the node that received it; false: none was.'),
    otherNode: z
      .boolean()
      .optional()
      .describe('true: at least one request was answered on another node; false: none was.'),
  })
  .refine((value) => Object.keys(value).length > 0, 'needs sameNode or otherNode')

/** `paths: {sameNode: true, otherNode: true}`: whether requests are served on the node that received them, or on another. */
export const paths = stepKind({
  key: 'paths',
  description: 'Whether pods on the node that received the request, and pods on other nodes, answered.',
  needs: { packets: true },
  schema,
  refuse: ({ sameNode, otherNode }, { repeat }) => {
    const smallest = smallestRepeat(2)
    if (sameNode !== true || otherNode !== true || repeat >= smallest) return undefined
    return {
      message: `repeat ${repeat} is too small to see both paths: by luck alone all requests may take one`,
      hint: `repeat ${smallest} is the smallest that works`,
    }
  },
  resolve: (given) => given,
  describe: ({ sameNode, otherNode }) => {
    const words = [
      ...wantedWords(sameNode, 'on the node they came to'),
      ...wantedWords(otherNode, 'on another node'),
    ]
    const wanted = `requests served: ${words.join(', ')}`
    return { name: wanted, expected: wanted }
  },
  evaluate: ({ sameNode, otherNode }, seen, context) => {
    const all = seen.flows.map((flow, index) => ({ index, path: pathOf(flow, context) }))
    const same = all.filter(({ path }) => path === 'same')
    const other = all.filter(({ path }) => path === 'other')
    const served = same.length + other.length
    const fits = (wanted: boolean | undefined, count: number) => wanted === undefined || wanted === count > 0
    return {
      ok: served > 0 && fits(sameNode, same.length) && fits(otherNode, other.length),
      observed:
        served === 0
          ? 'no request was seen to reach a pod'
          : `${same.length} on the node they came to, ${other.length} on another`,
      flow: (otherNode === undefined ? same[0] : other[0])?.index,
    }
  },
  look: (_, _seen, context) => lookAtPackets(context.step.from ?? ''),
})

function wantedWords(wanted: boolean | undefined, where: string): string[] {
  return wanted === undefined ? [] : [`${wanted ? 'some' : 'none'} ${where}`]
}

function pathOf(flow: Flow, context: CheckContext): 'same' | 'other' | undefined {
  const entered = flow.hops.map((hop) => nodeIn(hop.netns, context)).find((node) => node !== undefined)
  const last = flow.hops.at(-1)
  const served =
    podReached(flow, context)?.pod.node ??
    (flow.outcome === 'answered' && last ? nodeIn(last.netns, context)?.name : undefined)
  if (entered === undefined || served === undefined) return undefined
  return entered.name === served ? 'same' : 'other'
}
