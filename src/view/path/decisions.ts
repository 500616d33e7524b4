import type { TracedSocket } from '../../snapshot/model/packet.js'
import { flowGraphOf, rewritesOf, type Visit } from './flowGraph.js'
import type { Frame } from './frames.js'

/** A moment that decides about a packet: an address is rewritten, or the packet is received or lost. */
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
  | { readonly kind: 'lost'; readonly text: string }

/** The moments of a request and its answer that decide, in order. */
export function decisionsOf(frames: readonly Frame[]): Decision[] {
  return flowGraphOf(frames).visits.flatMap(({ place, direction, first, moments }: Visit) =>
    moments.flatMap((one, index): Decision[] => {
      const at = { moment: first + index, place, direction }
      const rewrites = rewritesOf(one).map(({ side, to }): Decision => ({
        ...at,
        what: { kind: 'rewrite', side, to },
      }))
      if (one.kind === 'lost') return [...rewrites, { ...at, what: { kind: 'lost', text: one.text } }]
      if (one.kind === 'receive') return [...rewrites, { ...at, what: { kind: 'received' } }]
      return rewrites
    }),
  )
}
