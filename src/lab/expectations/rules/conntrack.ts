import * as z from 'zod'
import type { ConntrackEntry } from '../../../netfilter/types.js'
import type { SocketAddress } from '../../../net/socketAddress.js'
import type { Named } from '../../../names/named.js'
import { isPlace } from '../../names/places.js'
import { fits, type Resolver, type Who } from '../../names/resolver.js'
import { socketText } from '../../../net/socketText.js'
import type { CheckContext } from '../../types.js'
import type { Observation } from '../../observation.js'
import { momentActions, stepKind } from '../kind.js'
import { lookAtConntrack } from '../look.js'
import { reference } from '../objects/references.js'

const direction = z.strictObject({
  source: reference.optional().describe('An address in a packet.'),
  destination: reference.optional().describe('An address in a packet.'),
})

const entry = z.strictObject({
  protocol: z.enum(['tcp', 'udp', 'icmp', 'icmpv6', 'sctp']).optional().describe('The transport protocol.'),
  state: z
    .string()
    .regex(/^[A-Z_0-9]+$/, 'is not a state: write it as conntrack does, such as TIME_WAIT')
    .optional()
    .describe('The TCP state.'),
  original: direction.optional().describe('Source and destination of the request.'),
  reply: direction.optional().describe('Source and destination of the answer.'),
})

const schema = z
  .strictObject({
    on: reference.describe('The node.'),
    entry: entry.optional().describe('An entry of a request of this step matches.'),
    noEntry: entry.optional().describe('No entry of the table matches.'),
  })
  .refine(
    (value) => (value.entry === undefined) !== (value.noEntry === undefined),
    'needs either entry or noEntry',
  )

type Entry = z.infer<typeof entry>

interface WantedEntry {
  /** As written in lab.yaml. */
  readonly name: string
  readonly words: string
  readonly protocol?: string | undefined
  readonly state?: string | undefined
  readonly sides: readonly { readonly who: Who; readonly of: (entry: ConntrackEntry) => SocketAddress }[]
}

/** `conntrack: {on: node-a, entry: {reply: {source: app=web}}}`: what the node's conntrack table contains after the step. */
export const conntrack = stepKind({
  key: 'conntrack',
  description: 'A conntrack entry that a node has after the step, or does not have.',
  needs: { packets: true, conntrack: true },
  actions: momentActions.filter((kind) => kind !== 'stop'),
  refuse: ({ entry: own }, { action: { kind } }) =>
    own !== undefined && (kind === 'change' || kind === 'wait')
      ? { message: `a ${kind} makes no request, so it has no entry`, hint: 'write noEntry' }
      : undefined,
  schema,
  resolve: (given, resolver) => {
    const key = given.entry ? 'entry' : 'noEntry'
    return {
      on: resolver.within('on').one(given.on, ['node']),
      absent: given.entry === undefined,
      wanted: resolveEntry(given.entry ?? given.noEntry ?? {}, resolver.within(key)),
    }
  },
  describe: ({ on, absent, wanted }) => ({
    name: `conntrack on ${on?.label ?? '?'}: ${absent ? 'no ' : ''}${wanted.name}`,
    expected: `${absent ? 'no entry' : 'an entry'} ${wanted.words}`,
  }),
  evaluate: ({ on, absent, wanted }, seen, context) => {
    const entries = on && seen.conntrack.get(on.name)
    if (on === undefined || entries === undefined)
      return { ok: false, observed: 'the conntrack table was not read' }
    const own = absent ? entries : entries.filter((entry) => isOfStep(entry, on, seen, context))
    const match = own.find((entry) => isWanted(entry, wanted))
    const observed = match ? entryWords(match) : listWords(own, absent)
    return { ok: (match === undefined) === absent, observed }
  },
  look: ({ on }) => lookAtConntrack(on?.name ?? ''),
})

function resolveEntry(given: Entry, resolver: Resolver): WantedEntry {
  const sides: WantedEntry['sides'][number][] = []
  const ends = (direction: 'original' | 'reply') => {
    if (given[direction] === undefined) return undefined
    const sockets = (['source', 'destination'] as const).map((end) => {
      const text = given[direction]?.[end]
      if (text === undefined) return { text: '*', words: '*' }
      const who = resolver.within(direction, end).who(text)
      sides.push({ who, of: (entry) => entry[direction][end] })
      return { text, words: who.words }
    })
    const prefix = direction === 'original' ? '' : 'reply '
    return {
      text: prefix + sockets.map(({ text }) => text).join(' → '),
      words: prefix + sockets.map(({ words }) => words).join(' → '),
    }
  }
  const tuples = [ends('original'), ends('reply')].filter((tuple) => tuple !== undefined)
  const kind = [given.protocol, given.state].filter((word) => word !== undefined).join(' ')
  const said = (words: readonly string[]) =>
    [kind, words.join(', ')].filter((part) => part !== '').join(' ') || 'of any kind'
  return {
    name: said(tuples.map(({ text }) => text)),
    words: said(tuples.map(({ words }) => words)),
    protocol: given.protocol,
    state: given.state,
    sides,
  }
}

function isWanted(entry: ConntrackEntry, { protocol, state, sides }: WantedEntry): boolean {
  if (protocol !== undefined && entry.protocol !== protocol) return false
  if (state !== undefined && entry.state !== state) return false
  return sides.every(({ who, of }) => fits(who, of(entry)))
}

/** An entry may be of an earlier step: its source must have been captured in this step, on this node. */
function isOfStep(entry: ConntrackEntry, on: Named, seen: Observation, context: CheckContext): boolean {
  const { source } = entry.original
  return (
    seen.requests.some(({ local }) => sameSocket(local, source)) ||
    seen.flows.some(
      (flow) =>
        sameSocket(flow.source, source) ||
        flow.hops.some((hop) => isPlace(on, hop.netns, context) && sameSocket(hop.source, source)),
    )
  )
}

/** ICMP entries have an identifier instead of ports: only the address is compared. */
function sameSocket(one: SocketAddress | undefined, other: SocketAddress): boolean {
  return (
    one?.address === other.address &&
    (one.port === other.port || one.port === undefined || other.port === undefined)
  )
}

function listWords(entries: readonly ConntrackEntry[], absent: boolean): string {
  const which = absent ? '' : ' of this step’s requests'
  if (entries.length === 0) return `no entry${which}`
  const rest = entries.length > 3 ? `; and ${entries.length - 3} more` : ''
  return absent
    ? `${entries.length} entries, none like that`
    : entries.slice(0, 3).map(entryWords).join('; ') + rest
}

function entryWords({ protocol, state, original, reply }: ConntrackEntry): string {
  const tuple = (of: ConntrackEntry['original']) => `${socketText(of.source)} → ${socketText(of.destination)}`
  return `${protocol}${state === undefined ? '' : ` ${state}`} ${tuple(original)}, reply ${tuple(reply)}`
}
