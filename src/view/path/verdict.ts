import { familyOf } from '../../net/ipFamily.js'
import type { TopologyView } from '../../results/events.js'
import type { Flow } from '../../packets/types.js'
import type { FlowPath } from '../report/document.js'
import type { Path } from '../../trace/model/steps.js'
import { endOf } from './end.js'
import type { FlowGraph } from './flowGraph.js'
import { endpointsOf, hostOf, namedSocket, serviceOf } from './services.js'

/** What happened to a request, for one sentence. */
export interface Verdict {
  readonly caller: string
  readonly target: Target
  /** The hosts that rewrote addresses of the request, in order. */
  readonly rewriters: readonly Rewriter[]
  /** `unknown` where neither a capture nor a prediction shows it. */
  readonly result: 'answered' | 'failed' | 'unknown'
  /** How it ends; absent if it is not known, or if the path ends with an answer. */
  readonly reason?: string | undefined
}

/** What was called. */
export interface Target {
  /** `node-a:30080`, `10.96.0.10:80` */
  readonly socket: string
  /** `default/web`, if the address and port are those of a Service. */
  readonly service?: string | undefined
}

/** A host that rewrote addresses. */
export interface Rewriter {
  readonly place: string
  readonly sides: readonly ('destination' | 'source')[]
  /** The pod or host that it chose, and of how many; absent if it kept the destination. */
  readonly chosen?: { readonly name: string; readonly of: number } | undefined
}

/** What happened to a request, from its flow graph and its path. */
export function verdictOf(
  { visits }: FlowGraph,
  known: FlowPath | undefined,
  { outcome, caller }: Partial<Pick<Flow, 'outcome' | 'caller'>>,
  view: TopologyView,
): Verdict | undefined {
  const [first] = visits
  const sent = first?.moments[0]?.before
  if (first === undefined || sent === undefined) return undefined
  const predicted = known === undefined || 'unknown' in known ? undefined : known
  const service = serviceOf(sent.destination, view)
  const family = familyOf(sent.destination.address)
  const rewriters = visits.flatMap(({ place, direction, rewrites, opens }): Rewriter[] => {
    if (direction === 'answer' || rewrites.length === 0 || opens) return []
    const sides = [...new Set(rewrites.map(({ side }) => side))]
    const to = rewrites.find(({ side }) => side === 'destination')?.to
    const name = to === undefined ? undefined : hostOf(to.address, view)
    const of = service === undefined ? 0 : endpointsOf(service, family)
    return [{ place, sides, chosen: name === undefined ? undefined : { name, of } }]
  })
  const end = predicted && endOf(predicted, { outcome })
  const ended = end === undefined ? (outcome === 'answered' ? 'answered' : 'failed') : resultOf(end.kind)
  // what the caller got decides: a status of an error is no success
  const result = caller === undefined ? ended : caller.passed ? 'answered' : 'failed'
  return {
    caller: first.place,
    target: {
      socket: namedSocket(sent.destination, view),
      service: service && `${service.namespace}/${service.name}`,
    },
    rewriters,
    result,
    reason:
      end === undefined || ended === 'answered'
        ? undefined
        : decidedText({ ...end, place: predicted?.path.end.place ?? '' }),
  }
}

function resultOf(kind: Path['end']['kind']): Verdict['result'] {
  // a path that is not followed to its end says nothing about the answer
  if (kind === 'untraceable') return 'unknown'
  return kind === 'answered' ? 'answered' : 'failed'
}

/** How a path ends, with its host. */
function decidedText({ reason, place }: Pick<Path['end'], 'reason' | 'place'>): string {
  return reason.includes(place) ? reason : `${place}: ${reason}`
}
