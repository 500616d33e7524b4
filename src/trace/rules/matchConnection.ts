import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { tracedSocketText, type TracedPacket } from '../../snapshot/model/packet.js'
import { ctStates, type Tracked } from '../walk/connection.js'
import { no, said, unknown, yes, type Answer } from './answer.js'
import { address } from './matchAddress.js'
import { port } from './matchTransport.js'
import type { Seen } from './seen.js'

/** The states of the packet’s connection. */
export function states(field: Negatable<readonly string[]>, { tracked, template }: Seen): Answer {
  const own = ctStates(tracked, template)
  return said(
    field,
    own.some((state) => field.value.includes(state)),
    `the state is ${own[0]}`,
  )
}

/** The mark of the packet’s connection. */
export function connmark(
  match: Extract<Match, { readonly kind: 'connmark' }>,
  { tracked, template }: Seen,
): Answer {
  if (template !== undefined) return unknown(ofTemplate)
  // not even its negation matches
  if (typeof tracked !== 'object') return no('no connection')
  const { mark } = tracked.connection
  const { value, mask } = match.mark.value
  return said(match.mark, (mark & mask) >>> 0 === value, `connection mark 0x${mark.toString(16)}`)
}

/** Fields of what a rule sees before connection tracking where it chooses a zone or a helper. */
export const ofTemplate = 'what a rule sees of a connection before connection tracking is not predicted'

/** Fields of the packet’s connection (conntrack_mt of Linux). */
export function conntrack(match: Extract<Match, { readonly kind: 'conntrack' }>, seen: Seen): Answer {
  const { kind: _kind, ctstate, ctdir, ctproto, ctstatus, ctexpire, ...sides } = match
  const { tracked, template, packet } = seen
  const state = ctstate === undefined ? yes : states(ctstate, seen)
  if (state.holds === 'no') return state
  if (template !== undefined)
    return Object.keys(match).some((key) => key !== 'kind' && key !== 'ctstate') ? unknown(ofTemplate) : yes
  // without a connection, nothing but the state is compared
  if (typeof tracked !== 'object') return ctstate === undefined ? no('no connection') : yes
  const { connection } = tracked
  const direction = tracked.direction.toUpperCase()
  const flags = connectionStatus(tracked)
  const number = protocolNumbers[packet.family][connection.protocol]
  const answers = [
    ctdir === undefined || direction === ctdir ? yes : no(`the direction is ${direction}`),
    ...Object.entries(sidesOf(connection)).flatMap(([name, socket]) => {
      const [own, ownPort] = [sides[name as keyof typeof sides], sides[`${name}port` as keyof typeof sides]]
      return [
        own === undefined || typeof own.value !== 'string'
          ? yes
          : because(
              address({ ...own, value: own.value }, socket.address, name),
              `${name} is ${tracedSocketText(socket)}`,
            ),
        ownPort === undefined || typeof ownPort.value === 'string'
          ? yes
          : socket.port === undefined
            ? unknown('ICMP has no ports')
            : port({ ...ownPort, value: ownPort.value }, socket.port, name),
      ]
    }),
    ctproto === undefined
      ? yes
      : said(ctproto, ctproto.value === number, `the protocol is ${connection.protocol}`),
    ctstatus === undefined ? yes : status(ctstatus, flags),
    ctexpire === undefined ? yes : unknown('when an entry expires is not predicted'),
  ]
  return (
    answers.find(({ holds }) => holds === 'no') ?? answers.find(({ holds }) => holds === 'unknown') ?? yes
  )
}

function because(answer: Answer, text: string): Answer {
  return answer.holds === 'no' ? no(text) : answer
}

function sidesOf({ original, reply }: Tracked['connection']) {
  return {
    ctorigsrc: original.source,
    ctorigdst: original.destination,
    ctreplsrc: reply.source,
    ctrepldst: reply.destination,
  }
}

/** Numbers of protocols, by the names that connections have. */
export const protocolNumbers: Readonly<Record<TracedPacket['family'], Readonly<Record<string, number>>>> = {
  IPv4: { icmp: 1, tcp: 6, udp: 17, sctp: 132 },
  IPv6: { icmp: 58, tcp: 6, udp: 17, sctp: 132 },
}

/** What connection tracking has noted of a connection: `unknown` are the flags of which it is not known. */
export function connectionStatus({ connection }: Tracked): {
  readonly flags: readonly string[]
  readonly unknown: readonly string[]
} {
  const { answered, confirmed, assured, earlier, loose } = connection
  return {
    flags: [
      ...(answered ? ['SEEN_REPLY'] : []),
      ...(assured === true ? ['ASSURED'] : []),
      ...(confirmed ? ['CONFIRMED'] : []),
    ],
    unknown: (earlier === true || loose === true) && assured !== true ? ['ASSURED'] : [],
  }
}

function status(
  field: Negatable<readonly string[]>,
  { flags, unknown: open }: ReturnType<typeof connectionStatus>,
): Answer {
  const text = `the status is ${flags.length === 0 ? 'NONE' : flags.join(',')}`
  const isSo = flags.some((flag) => field.value.includes(flag))
  return !isSo && open.some((flag) => field.value.includes(flag))
    ? unknown(`whether the connection is ${open.join(',')}`)
    : said(field, isSo, text)
}
