import type { SocketAddress } from '../../net/socketAddress.js'
import type { PacketHeader } from '../../netfilter/trace/header.js'
import { onePort, type TracedSocket, type Tuple } from '../../snapshot/model/packet.js'
import type { Hop, Path, Step } from '../model/steps.js'
import type { TraceComparison } from './compare.js'
import type { SeenHop } from './model.js'

/**
 * A predicted path with the ports that the kernel has chosen. The kernel does not report rules that do not apply: why they
 * do not is marked as inferred.
 */
export function explainedPath(path: Path, { hops, relayed: second }: Explained): Path {
  const explained = path.hops.map((hop, index) => {
    const seen = hops[index]
    return seen === undefined ? hop : explainedHop(hop, seen)
  })
  const whole = explained.map((one, index) =>
    hops[index] === undefined ? withPorts(one, path.hops, explained) : one,
  )
  const receiver = path.receiver && {
    ...path.receiver,
    socket: chosen(path.receiver.socket, ...hops.flatMap((seen) => (seen ? socketsOf(seen) : []))),
  }
  const error = path.error && {
    ...path.error,
    hops: path.error.hops.map((hop) => withPorts(hop, path.hops, explained)),
  }
  const own = { ...path, receiver, hops: whole, ...(error && { error }) }
  const { relayed } = path
  if (relayed?.path === undefined || second === undefined) return own
  const further = explainedPath(relayed.path, second)
  const sent = second.hops[0]?.before
  const packet =
    relayed.packet && sent ? { ...relayed.packet, ...tuple(relayed.packet, sent) } : relayed.packet
  return { ...own, relayed: { ...relayed, packet, path: further } }
}

/** A hop that was not traced, with the ports that other hosts have reported for the same ranges. */
function withPorts(hop: Hop, predicted: readonly Hop[], explained: readonly Hop[]): Hop {
  const isOne = ({ port }: TracedSocket) => port === undefined || port.first === port.last
  const known = (socket: TracedSocket): TracedSocket => {
    if (isOne(socket)) return socket
    for (const [index, one] of predicted.entries())
      for (const when of ['before', 'after'] as const)
        for (const side of ['source', 'destination'] as const) {
          const found = explained[index]?.[when][side]
          const { address, port } = one[when][side]
          const isSame =
            address === socket.address &&
            port?.first === socket.port?.first &&
            port?.last === socket.port?.last
          if (isSame && found !== undefined && isOne(found)) return found
        }
    return socket
  }
  const ends = ({ source, destination }: Tuple) => ({
    source: known(source),
    destination: known(destination),
  })
  const steps = hop.steps.map((step) =>
    step.kind === 'nat' ? { ...step, from: known(step.from), to: known(step.to) } : step,
  )
  return { ...hop, before: ends(hop.before), after: ends(hop.after), steps }
}

type Explained = Pick<TraceComparison, 'hops' | 'relayed'>

function explainedHop(hop: Hop, seen: SeenHop): Hop {
  return {
    ...hop,
    before: tuple(hop.before, seen.before),
    after: tuple(hop.after, seen.after),
    steps: hop.steps.map((step) => explainedStep(step, seen)),
  }
}

function explainedStep(step: Step, seen: SeenHop): Step {
  switch (step.kind) {
    case 'rule': {
      const { source } = seen.after
      const effect = step.effect?.replace(/:\*$/, `:${source.port ?? '*'}`)
      return step.holds === 'no' && step.because !== undefined
        ? { ...step, because: `inferred: ${step.because}` }
        : { ...step, effect }
    }
    case 'nat':
      return {
        ...step,
        from: chosen(step.from, seen.before[step.side]),
        to: chosen(step.to, seen.after[step.side]),
      }
    case 'entry': {
      const { source, destination } = seen.after
      return {
        ...step,
        original: tuple(step.original, seen.before),
        reply: tuple(step.reply, { source: destination, destination: source }),
      }
    }
    default:
      return step
  }
}

function tuple({ source, destination }: Tuple, seen: Pick<PacketHeader, 'source' | 'destination'>): Tuple {
  return { source: chosen(source, seen.source), destination: chosen(destination, seen.destination) }
}

/** The port that the kernel has chosen, of a socket whose port can be several. */
function chosen(socket: TracedSocket, ...seen: readonly SocketAddress[]): TracedSocket {
  const { address, port } = socket
  if (port === undefined || port.first === port.last) return socket
  const own = seen.find((one) => one.address === address && one.port !== undefined)
  return own?.port === undefined ? socket : { address, port: onePort(own.port) }
}

function socketsOf({ before, after }: SeenHop): SocketAddress[] {
  return [after.destination, before.destination, after.source, before.source]
}
