import * as z from 'zod'
import type { NatFact } from '../../../packets/types.js'
import type { Exchange } from '../../steps/exchanges.js'
import type { Named } from '../../names/named.js'
import { addressWords, isPlace, placeName } from '../../names/places.js'
import { fits, type Resolver, type Who } from '../../names/resolver.js'
import type { CheckContext } from '../../types.js'
import type { Observation } from '../../observation.js'
import type { Verdict } from '../verdict.js'
import { requestKind, type Kind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { reference } from '../objects/references.js'

const fact = z
  .strictObject({
    to: reference
      .optional()
      .describe(
        'The address after: an address in a packet; for dnat and a Service, an address of its endpoints.',
      ),
    from: reference.optional().describe('The address before.'),
    port: z.int().min(1).max(65535).optional().describe('The port after.'),
    at: reference.optional().describe('The node that rewrites it.'),
  })
  .refine((value) => Object.keys(value).length > 0, 'needs to, from, port or at')

const schema = z.union([z.literal('none'), fact])

interface Wanted {
  readonly words: string
  readonly to?: Who | undefined
  readonly from?: Who | undefined
  readonly port?: number | undefined
  readonly at?: Named | undefined
}

/** The kind that evaluates one kind of rewrite from the packets of the request. */
export function natKind(key: 'dnat' | 'snat', what: 'DNAT' | 'SNAT', description: string): Kind {
  return requestKind({
    key,
    description,
    needs: { packets: true },
    schema,
    resolve: (given, resolver) => (given === 'none' ? given : resolveFact(given, resolver, key)),
    describe: (wanted) =>
      wanted === 'none'
        ? { name: `no ${what}`, expected: `no ${what} anywhere` }
        : { name: `${what} ${wanted.words}`, expected: describeWanted(wanted, what) },
    evaluate: (wanted, exchange, context) => evaluateFacts(wanted, what, exchange, context),
    look: (wanted, seen, context) =>
      lookAtRules(seen, context, atNode(wanted, seen, context), { rewrite: what }),
  })
}

/** Every rewrite of the exchange's flows, in words. */
export function natWords(facts: readonly NatFact[], context: CheckContext): string {
  return facts
    .map(
      (one) =>
        `${one.kind} at ${placeName(one.netns, context)}: ${addressWords(one.from, context)} → ${addressWords(one.to, context)}`,
    )
    .join('; ')
}

function resolveFact(given: z.infer<typeof fact>, resolver: Resolver, key: 'dnat' | 'snat'): Wanted {
  const { to, from, port, at } = given
  const words = [
    ...(from === undefined ? [] : [`of ${from}`]),
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(port === undefined ? [] : [`port ${port}`]),
    ...(at === undefined ? [] : [`at ${at}`]),
  ].join(' ')
  return {
    words,
    port,
    to:
      to === undefined
        ? undefined
        : resolver.within('to').who(to, key === 'dnat' ? 'endpoints' : 'addresses'),
    from: from === undefined ? undefined : resolver.within('from').who(from),
    at: at === undefined ? undefined : resolver.within('at').one(at),
  }
}

function describeWanted({ to, from, port, at }: Wanted, what: string): string {
  const where = at === undefined ? '' : ` at ${at.label}`
  const after = `${to?.words ?? 'another address'}${port === undefined ? '' : `, port ${port}`}`
  return `${what}${where}: ${from?.words ?? 'the address'} becomes ${after}`
}

function evaluateFacts(
  wanted: Wanted | 'none',
  what: 'DNAT' | 'SNAT',
  { flows }: Exchange,
  context: CheckContext,
): Verdict {
  const [first] = flows
  if (first === undefined) return { ok: false, observed: 'no packet of the request was seen' }
  const all = flows.flatMap(({ flow, index }) =>
    flow.nat.filter(({ kind }) => kind === what).map((one) => ({ one, index })),
  )
  const observed =
    all.length === 0
      ? `no ${what}`
      : natWords(
          all.map(({ one }) => one),
          context,
        )
  if (wanted === 'none') return { ok: all.length === 0, observed, flow: all[0]?.index ?? first.index }
  const match = all.find(({ one }) => isWanted(wanted, one, context))
  return { ok: match !== undefined, observed, flow: (match ?? all[0])?.index ?? first.index }
}

function isWanted({ to, from, port, at }: Wanted, one: NatFact, context: CheckContext): boolean {
  if (at !== undefined && !isPlace(at, one.netns, context)) return false
  if (port !== undefined && one.to.port !== port) return false
  return (to === undefined || fits(to, one.to)) && (from === undefined || fits(from, one.from))
}

function atNode(wanted: Wanted | 'none', seen: Observation, context: CheckContext): string {
  return wanted !== 'none' && wanted.at?.kind === 'node' ? wanted.at.name : firstNode(seen, context)
}
