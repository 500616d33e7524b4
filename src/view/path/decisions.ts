import type { TracedSocket } from '../../snapshot/model/packet.js'
import type { ShownEnd } from './end.js'
import { flowGraphOf, rewritesOf, type Visit } from './flowGraph.js'
import type { Frame } from './frames.js'

/** A moment that decides about a packet: an address is rewritten, the packet is received, or the request fails. */
export interface Decision {
  /** Index of the frame. */
  readonly moment: number
  readonly place: string
  readonly direction: Frame['direction']
  readonly what: DecisionKind
}

type DecisionKind =
  | { readonly kind: 'rewrite'; readonly side: 'source' | 'destination'; readonly to: TracedSocket }
  | { readonly kind: 'received' }
  | { readonly kind: 'failed'; readonly text: string }

/** The moments of a request and its answer that decide, in order; an answer that refuses the request is how it fails, and an error about it no decision. */
export function decisionsOf(frames: readonly Frame[], end?: ShownEnd): Decision[] {
  const all = flowGraphOf(frames).visits.flatMap((visit) => (isError(visit) ? [] : decisionsAt(visit)))
  const last = all.at(-1)
  const fails = end !== undefined && end.kind !== 'answered' && end.kind !== 'untraceable'
  if (last?.what.kind !== 'received' || !fails) return all
  const others = all.slice(0, -1)
  if (others.some(({ what }) => what.kind === 'failed')) return others
  return [...others, { ...last, what: { kind: 'failed', text: end.reason } }]
}

function isError({ moments: [first] }: Visit): boolean {
  return first?.named !== undefined || first?.packet === 'error'
}

function decisionsAt({ place, direction, first, moments }: Visit): Decision[] {
  return moments.flatMap((one, index): Decision[] => {
    const at = { moment: first + index, place, direction }
    const rewrites = rewritesOf(one).map(({ side, to }): Decision => ({
      ...at,
      what: { kind: 'rewrite', side, to },
    }))
    if (one.kind === 'lost') return [...rewrites, { ...at, what: { kind: 'failed', text: one.text } }]
    // what is inside a packet of a tunnel goes on
    if (one.kind === 'receive' && one.packet !== 'tunnel')
      return [...rewrites, { ...at, what: { kind: 'received' } }]
    return rewrites
  })
}
