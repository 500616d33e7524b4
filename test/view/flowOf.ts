import type { Flow, Hop as SeenHop } from '../../src/packets/types.js'
import type { TracedSocket, Tuple } from '../../src/snapshot/model/packet.js'
import type { Path } from '../../src/trace/model/steps.js'

/** The port that stands for a range: the one that captures of `flowOf` show. */
export const chosenPort = 40_123

/** The flow whose packets take a predicted path, as captures would show it. */
export function flowOf({ hops, end }: Path): Flow {
  const answered = hops.findIndex(({ packet }) => packet === 'answer')
  const seen = (own: typeof hops): SeenHop[] =>
    own.flatMap((hop) => [
      ...(hop.in === undefined ? [] : [seenAt(hop.place, hop.in, 'in', hop.before)]),
      ...(hop.out === undefined ? [] : [seenAt(hop.place, hop.out, 'out', hop.after)]),
    ])
  const requests = answered < 0 ? hops : hops.slice(0, answered)
  const [first] = requests
  if (first === undefined) throw new Error('the path has no packet')
  return {
    protocol: 'tcp',
    source: socket(first.before.source),
    destination: socket(first.before.destination),
    hops: seen(requests),
    replyHops: answered < 0 ? [] : seen(hops.slice(answered)),
    ...{ nat: [], replyNat: [] },
    outcome: end.kind === 'answered' ? 'answered' : 'unanswered',
  }
}

function seenAt(
  netns: string,
  device: string,
  direction: 'in' | 'out',
  { source, destination }: Tuple,
): SeenHop {
  return {
    netns,
    interface: device,
    direction,
    at: 0,
    source: socket(source),
    destination: socket(destination),
  }
}

function socket({ address, port }: TracedSocket) {
  if (port === undefined) return { address }
  return { address, port: port.first === port.last ? port.first : chosenPort }
}
