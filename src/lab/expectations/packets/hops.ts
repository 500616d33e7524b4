import * as z from 'zod'
import type { Hop } from '../../../packets/types.js'
import type { Exchange } from '../../steps/exchanges.js'
import type { Named } from '../../../names/named.js'
import { isPlace, placeName } from '../../names/places.js'
import type { Resolver } from '../../names/resolver.js'
import type { CheckContext } from '../../types.js'
import type { Verdict } from '../verdict.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'

const hop = z
  .string()
  .regex(
    /^[^:]+(:[^/]*)?(\/(in|out))?(\/vxlan)?$/,
    'is not a hop: write a place, place:interface, or place:interface/in or /out, with /vxlan where it is in a tunnel',
  )
const list = z.array(hop).min(1)

const schema = z.union([
  list,
  z.strictObject({
    exactly: list.describe('The whole path, in order; one entry may cover several captures in a row.'),
  }),
])

interface WantedHop {
  readonly text: string
  readonly place: Named | undefined
  readonly interface?: string | undefined
  readonly direction?: string | undefined
  readonly tunnel?: string | undefined
}

/** `hops: [client, node-a:eth0/in, node-b]`: the hops of the request, in this order. */
export const hops = requestKind({
  key: 'hops',
  description:
    'The path of the request: places in this order, others between them allowed, or exactly these. A place is place, place:interface, place:interface/in or place/out, with /vxlan for a packet inside a tunnel.',
  needs: { packets: true },
  schema,
  resolve: (given, resolver) => {
    const exactly = !Array.isArray(given)
    const inner = exactly ? resolver.within('exactly') : resolver
    const texts = exactly ? given.exactly : given
    return { exactly, wanted: texts.map((text, index) => parseHop(text, inner.within(index))) }
  },
  describe: ({ exactly, wanted }) => {
    const way = wanted.map(({ text }) => text).join(' → ')
    return { name: `passes ${way}`, expected: `${exactly ? 'exactly ' : ''}${way}` }
  },
  evaluate: ({ exactly, wanted }, exchange, context) => {
    const fit = (hop: Hop, want: WantedHop) => fitsHop(hop, want, context)
    return evaluatePaths(exchange, context, (hops) =>
      exactly ? coversAll(hops, wanted, fit) : passesInOrder(hops, wanted, fit),
    )
  },
  look: (_, _seen, context) => lookAtPackets(context.step.from ?? ''),
})

/** Evaluates the paths of an exchange's flows: one of them must match. */
export function evaluatePaths(
  exchange: Exchange,
  context: CheckContext,
  fits: (hops: readonly Hop[]) => boolean,
): Verdict {
  const [first] = exchange.flows
  if (first === undefined) return { ok: false, observed: 'no packet of the request was seen' }
  const match = exchange.flows.find(({ flow }) => fits(flow.hops))
  const { flow, index } = match ?? first
  return { ok: match !== undefined, observed: pathWords(flow.hops, context), flow: index }
}

/** The path of a request in one line, each place once: `client eth0 → node-a eth0 eth0 → …`. */
function pathWords(hops: readonly Hop[], context: CheckContext): string {
  const parts: string[] = []
  let last: string | undefined
  for (const { netns, interface: name, direction, tunnel } of hops) {
    const sighting = [name, direction, ...(tunnel === undefined ? [] : [tunnel.protocol])].join('/')
    if (netns === last) parts.push(`${parts.pop() ?? ''} ${sighting}`)
    else parts.push(`${placeName(netns, context)}:${sighting}`)
    last = netns
  }
  return parts.join(' → ')
}

/** `app.kubernetes.io/name=web:eth0/in`: a label's key may contain a slash, so the end is parsed first. */
function parseHop(text: string, resolver: Resolver): WantedHop {
  const tunnel = /\/(vxlan)$/.exec(text)?.[1]
  const seen = withoutEnd(text, tunnel)
  const direction = /\/(in|out)$/.exec(seen)?.[1]
  const [place = '', name] = withoutEnd(seen, direction).split(':')
  return { text, place: resolver.one(place), interface: name === '' ? undefined : name, direction, tunnel }
}

function withoutEnd(text: string, end: string | undefined): string {
  return end === undefined ? text : text.slice(0, -end.length - 1)
}

function fitsHop(hop: Hop, want: WantedHop, context: CheckContext): boolean {
  if (want.place === undefined || !isPlace(want.place, hop.netns, context)) return false
  if (want.interface !== undefined && want.interface !== hop.interface) return false
  if (want.tunnel !== undefined && want.tunnel !== hop.tunnel?.protocol) return false
  return want.direction === undefined || want.direction === hop.direction
}

type Fit = (hop: Hop, want: WantedHop) => boolean

function passesInOrder(hops: readonly Hop[], wanted: readonly WantedHop[], fit: Fit): boolean {
  let next = 0
  for (const hop of hops) {
    const want = wanted[next]
    if (want && fit(hop, want)) next += 1
  }
  return next === wanted.length
}

/** Each entry matches one or more consecutive hops, without a rest; `open` holds the entries that may be next. */
function coversAll(hops: readonly Hop[], wanted: readonly WantedHop[], fit: Fit): boolean {
  let done = new Set([-1])
  for (const hop of hops) {
    const candidates = [...done].flatMap((last) => (last === -1 ? [0] : [last, last + 1]))
    done = new Set(candidates.filter((index) => wanted[index] !== undefined && fit(hop, wanted[index])))
  }
  return hops.length > 0 && done.has(wanted.length - 1)
}
