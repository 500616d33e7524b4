import type { Flow } from '../../packets/types.js'
import { callerText } from '../../results/request.js'
import { isAnswered } from '../../trace/model/isAnswered.js'
import type { Path } from '../../trace/model/steps.js'
import type { PredictedFlow } from '../report/document.js'

/** How a request ends, in one sentence. */
export type ShownEnd = Pick<Path['end'], 'kind' | 'reason'>

/** How a flow has ended, and what its caller got. */
export interface SeenEnd {
  readonly outcome?: Flow['outcome'] | undefined
  readonly caller?: Flow['caller']
}

/** How a request has ended that was captured without an answer. */
const kinds = {
  refused: 'refused',
  reset: 'refused',
  unreachable: 'unreachable',
  unanswered: 'dropped',
} as const

/**
 * How a request ends: as predicted, or as its packets were captured where these show that the prediction is wrong, or that it knows no
 * more. A proxy that was not predicted has answered if the caller got an answer. An error of HTTP is no success, and neither is an
 * answer in packets with which the caller has failed.
 */
export function endOf({ path, basis }: PredictedFlow, seen: SeenEnd | undefined): ShownEnd {
  const { hops, relayed } = path
  const { outcome, caller: got } = seen ?? {}
  const isError = path.end.kind === 'answered' && !isAnswered(path.end)
  const end: Path['end'] = isError ? { ...path.end, kind: 'refused' } : path.end
  const caller = hops[0]?.place ?? 'the caller'
  if (basis === 'trace' && got?.passed === false && end.kind === 'answered')
    return { kind: 'refused', reason: `${caller}: ${callerText(got)}` }
  if (basis !== undefined || outcome === undefined) return end
  if (outcome !== 'answered')
    return end.kind === 'answered'
      ? { kind: kinds[outcome], reason: `${caller}: ${outcome}; predicted: ${end.reason}` }
      : end
  if (end.kind === 'untraceable')
    return { kind: 'answered', reason: `${caller} got the answer; not predicted: ${end.reason}` }
  // an answer can be that of a proxy, of the first packets, or of another address than the one that was called
  if (end.kind === 'answered' || end.kind === 'misrouted' || end.later === true || relayed !== undefined)
    return end
  return { kind: 'answered', reason: `${caller} got the answer; predicted: ${end.reason}` }
}
