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
  const receiver = path.receiver && {
    ...path.receiver,
    socket: chosen(path.receiver.socket, ...hops.flatMap((seen) => (seen ? socketsOf(seen) : []))),
  }
  const { relayed } = path
  if (relayed?.path === undefined || second === undefined) return { ...path, receiver, hops: explained }
  const own = explainedPath(relayed.path, second)
  const sent = second.hops[0]?.before
  const packet =
    relayed.packet && sent ? { ...relayed.packet, ...tuple(relayed.packet, sent) } : relayed.packet
  return { ...path, receiver, hops: explained, relayed: { ...relayed, packet, path: own } }
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
