import type { SocketAddress } from '../../../net/socketAddress.js'
import { addressFamily } from '../../../net/ranges.js'
import { addressWords } from '../../names/places.js'
import { fits } from '../../names/resolver.js'
import type { Exchange, NumberedFlow } from '../../steps/exchanges.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { reference } from '../objects/references.js'

/** `answerFrom: called`: the source address of the response, as captured at the sender. */
export const answerFrom = requestKind({
  key: 'answerFrom',
  description:
    'The source address of the answer on the interface of the sender: called for the address that it called, or an address in a packet.',
  needs: { packets: true },
  schema: reference,
  resolve: (given, resolver) => ({ given, who: given === 'called' ? undefined : resolver.who(given) }),
  describe: ({ given, who }) =>
    who
      ? { name: `the answer comes from ${given}`, expected: who.words }
      : { name: 'the answer comes from the address it called', expected: 'the address that was called' },
  evaluate: ({ who }, exchange, context) => {
    const [first] = exchange.flows
    if (first === undefined) return { ok: false, observed: 'no packet of the request was seen' }
    const answered = exchange.flows.find(({ flow }) => flow.replyHops.length > 0)
    if (answered === undefined)
      return { ok: false, observed: 'no answer was seen on the wire', flow: first.index }
    const source = answered.flow.replyHops.at(-1)?.source
    const called = calledBy(exchange, answered)
    const against = who === undefined ? `; ${addressWords(called, context)} was called` : ''
    return {
      ok: who === undefined ? same(source, called) : fits(who, source),
      observed: `${addressWords(source, context)}${against}`,
      flow: answered.index,
    }
  },
  look: (_, _seen, context) => lookAtPackets(context.step.from ?? ''),
})

function calledBy({ request }: Exchange, { flow }: NumberedFlow): SocketAddress {
  const { remote } = request
  // the sender reports no port, or only the name that it called
  return remote?.port === undefined || addressFamily(remote.address) === undefined ? flow.destination : remote
}

function same(one: SocketAddress | undefined, other: SocketAddress): boolean {
  return one?.address === other.address && one.port === other.port
}
