import type { Path, Prediction } from '../model/steps.js'
import type { SeenExchange } from './connection.js'

/**
 * A prediction for what the kernel reports of a datagram: whether a program that is not one of vethlab answers is not known, and the
 * paths where it has got the datagram, and has sent nothing, end there.
 */
export function withSilentReceiver(prediction: Prediction, seen: SeenExchange | undefined): Prediction {
  if (seen?.protocol !== 'udp' || seen.errors.length > 0) return prediction
  return { ...prediction, paths: prediction.paths.map((path) => upToReceiver(path, seen)) }
}

/** What a program does with a datagram, if it is not one of vethlab. */
export const mayNotAnswer = 'gets it; whether it answers is not known'

/** Whether a path ends at a program that has got the request, and may not answer. */
export function isAtReceiver({ receiver, end, hops }: Path): boolean {
  return receiver !== undefined && end.kind === 'untraceable' && !hops.some(isAnswer)
}

function upToReceiver(path: Path, seen: SeenExchange): Path {
  const { receiver, relayed } = path
  const first = path.hops.findIndex(isAnswer)
  if (receiver === undefined || receiver.known === true || relayed !== undefined || first < 0) return path
  const hops = path.hops.slice(0, first)
  const place = hops.at(-1)?.place ?? ''
  const sent = (seen.hops.get(place)?.length ?? 0) - hops.filter((hop) => hop.place === place).length
  if (sent !== 0) return path
  const reason = `${receiver.name} ${mayNotAnswer}`
  return { ...path, hops, end: { kind: 'untraceable', place, reason, caller: 'unknown' } }
}

function isAnswer({ packet }: Path['hops'][number]): boolean {
  return packet === 'answer'
}
