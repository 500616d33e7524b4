import { firstPacket } from '../request.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { End, Path, Relayed } from '../model/steps.js'
import type { Choices } from './choices.js'
import type { Prepared } from './prepared.js'
import { pick, type Accepted } from './relays.js'
import { Walk } from './walk.js'

/** More connections than any chain of proxies has. */
const mostConnections = 8

/** One path of a request: its connection, and those that proxies open for it. */
export function walkRequest(
  prepared: Prepared,
  from: string,
  request: TracedPacket,
  choices: Choices,
  connections = 1,
): Path {
  const before = choices.taken.length
  const { accepted, ...walked } = new Walk(prepared, from, request, choices).run()
  const relayed =
    accepted !== undefined && walked.end.kind === 'answered'
      ? passOn(prepared, accepted, walked.end, choices, connections)
      : undefined
  const own = choices.taken.slice(before).map(({ choice }) => choice)
  const probability = own.reduce((product, { probability = 1 }) => product * probability, 1)
  const path = { probability, choices: own, ...walked }
  if (relayed === undefined || accepted === undefined) return path
  // a datagram is answered only with that of the endpoint
  const isSilent = request.protocol === 'udp' && relayed.answer.kind !== 'answered'
  const silent = { ...relayed.answer, caller: 'timeout' } as const
  return {
    ...path,
    hops: isSilent ? path.hops.slice(0, accepted.hops) : path.hops,
    end: isSilent ? silent : relayed.answer,
    relayed: isSilent ? { ...relayed.by, end: silent } : relayed.by,
  }
}

/** What the proxy does, and how the request ends by it. */
function passOn(
  prepared: Prepared,
  accepted: Accepted,
  end: End,
  choices: Choices,
  connections: number,
): { readonly by: Relayed; readonly answer: End } {
  const { name, place, packet } = accepted
  const by = { by: name, place, end }
  const picked = pick(accepted, choices)
  if ('end' in picked) return { by, answer: picked.end }
  if (connections >= mostConnections)
    return { by, answer: { kind: 'dropped', place, reason: 'the proxies form a loop', caller: 'timeout' } }
  const { protocol, source } = packet
  const { head, route } = picked
  const first = firstPacket(prepared.state, { from: place, protocol, head, ...picked.target })
  const { relay } = accepted
  const sendsHeader = relay.kind === 'turn' && relay.proxyHeader === true
  const own = sendsHeader ? { ...first, proxyHeader: source.address } : first
  const path = walkRequest(prepared, place, own, choices, connections + 1)
  return {
    by: { ...by, packet: own, path, ...(route !== undefined && { route }) },
    answer: answerOf(accepted, path.end, route !== undefined),
  }
}

/** How a request ends whose proxy has got this end; only one that has read the request answers it with an error of its own. */
function answerOf({ name, relay }: Accepted, own: End, hasRead: boolean): End {
  const isInside = own.http !== undefined || (own.caller === 'protocol error' && !hasRead)
  if (own.kind === 'answered' || own.kind === 'untraceable' || isInside) return own
  const caller = hasRead ? 'answer' : relay.kind === 'http' ? 'protocol error' : 'reset'
  return { ...own, reason: `the own connection of ${name}: ${own.reason}`, caller }
}
