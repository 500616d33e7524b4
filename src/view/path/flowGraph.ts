import { groupBy } from '../../groupBy.js'
import { sameSocket, type TracedSocket, type Tuple } from '../../snapshot/model/packet.js'
import type { Frame } from './frames.js'
import { rewrittenOf, type Rewritten } from './route.js'

/** An address that is rewritten on a host. */
export interface Rewrite {
  readonly side: 'source' | 'destination'
  readonly from: TracedSocket
  readonly to: TracedSocket
  /** What rewrites it: the chain of the rule, or connection tracking. */
  readonly by: string
}

/** A packet on one host: what happens to it, and how it goes on. */
export interface Visit {
  /** As in the frames. */
  readonly hop: number
  readonly place: string
  readonly direction: Frame['direction']
  /** Index of its first moment; its moments are consecutive. */
  readonly first: number
  readonly moments: readonly Frame[]
  readonly rewrites: readonly Rewrite[]
  /** Whether it is the first of a connection that a proxy opens, or of the connection that it continues. */
  readonly opens: boolean
  /** The way to the next host; absent for a packet that ends here, and where the same host goes on. */
  readonly arrow?: Arrow | undefined
  /** Why its way ends here before it is received. */
  readonly lost?: string | undefined
}

/** A packet between two hosts; of a tunnel, the packet inside. */
export interface Arrow {
  readonly to: string
  readonly tuple: Tuple
  /** Compared with how it was sent. */
  readonly rewritten: Rewritten
  /** The packet around it. */
  readonly outer?: Tuple | undefined
}

/** A request and its answer as a flow graph: hosts are columns, and time goes downwards. */
export interface FlowGraph {
  /** In the order in which the packets meet them. */
  readonly places: readonly string[]
  readonly visits: readonly Visit[]
}

/** The flow graph of the moments of a request. */
export function flowGraphOf(frames: readonly Frame[]): FlowGraph {
  const numbered = frames.map((frame, index) => ({ frame, index }))
  const hops = [...groupBy(numbered, ({ frame }) => frame.hop).values()]
  const visits = hops.flatMap((own, at): Visit[] => {
    const moments = own.map(({ frame }) => frame)
    const [start] = own
    const last = moments.at(-1)
    if (start === undefined || last === undefined) return []
    const { hop, place, direction, original } = start.frame
    const next = hops[at + 1]?.[0]?.frame
    const before = hops[at - 1]?.at(-1)?.frame
    // the hop before that of a packet of a tunnel has the packet inside
    const inner = last.packet === 'tunnel' ? before : undefined
    const sent = inner ?? last
    return [
      {
        ...{ hop, place, direction, first: start.index, moments },
        rewrites: moments.flatMap(rewritesOf),
        opens: before !== undefined && before.original !== original,
        arrow:
          next === undefined || next.place === place || next.original !== original || last.kind !== 'send'
            ? undefined
            : {
                to: next.place,
                tuple: sent.after,
                rewritten: rewrittenOf({ ...sent, before: sent.after }),
                outer: inner && last.after,
              },
        lost: last.kind === 'lost' ? last.text : undefined,
      },
    ]
  })
  return { places: [...new Set(visits.map(({ place }) => place))], visits }
}

/** The addresses that are rewritten at a moment. */
export function rewritesOf({ before, after, rules, label }: Frame): Rewrite[] {
  const deciding = rules.findLast((rule) => rule.kind === 'rule' && rule.holds === 'yes')
  const by = deciding === undefined ? label : deciding.chain
  return (['destination', 'source'] as const).flatMap((side): Rewrite[] =>
    sameSocket(before[side], after[side]) ? [] : [{ side, from: before[side], to: after[side], by }],
  )
}
