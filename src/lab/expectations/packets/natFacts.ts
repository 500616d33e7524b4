import * as z from 'zod'
import type { Flow, NatFact } from '../../../packets/types.js'
import type { Exchange } from '../../steps/exchanges.js'
import type { Named } from '../../../names/named.js'
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

/** The rewrites of a flow, in order. */
interface Rewrites {
  /** Those of rules. */
  readonly nat: readonly NatFact[]
  /** Those of the response that do not only reverse a new source port. */
  readonly replyNat: readonly NatFact[]
  /** New source ports that no rule has caused. */
  readonly newPorts: readonly NatFact[]
}

/**
 * Conntrack gives a connection another source port, without any rule, if an earlier connection to the same receiver has its port
 * (nf_nat_alloc_null_binding of Linux): a client uses a port again for another destination, such as a pod after the cluster IP
 * of its Service. In the sender's own namespace, a masquerade can do the same: there it counts as a rewrite of a rule.
 */
export function rewritesIn({ nat, replyNat, hops }: Flow): Rewrites {
  const isNewPort = (one: NatFact, kind: NatFact['kind']) =>
    one.kind === kind && one.from.address === one.to.address && one.netns !== hops[0]?.netns
  return {
    nat: nat.filter((one) => !isNewPort(one, 'SNAT')),
    replyNat: replyNat.filter((one) => !isNewPort(one, 'DNAT')),
    newPorts: nat.filter((one) => isNewPort(one, 'SNAT')),
  }
}

/** What a check that found no rewrite says about new source ports. */
export function newPortWords(flows: Exchange['flows'], context: CheckContext): string {
  const ports = flows.flatMap(({ flow }) => rewritesIn(flow).newPorts)
  if (ports.length === 0) return ''
  return `; only a new source port, because another connection has the old one: ${natWords(ports, context)}`
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
  if (wanted === 'none') {
    const ofRules = flows.find(({ flow }) => rewritesIn(flow).nat.some(({ kind }) => kind === what))
    if (ofRules !== undefined) return { ok: false, observed, flow: ofRules.index }
    return {
      ok: true,
      observed: `no ${what}${what === 'SNAT' ? newPortWords(flows, context) : ''}`,
      flow: first.index,
    }
  }
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
