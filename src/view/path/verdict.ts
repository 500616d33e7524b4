import { tracedSocketText, type TracedSocket } from '../../snapshot/model/packet.js'
import type { ServiceView, TopologyView } from '../../results/events.js'
import type { FlowPath } from '../report/document.js'
import type { Path } from '../../trace/model/steps.js'
import type { FlowGraph } from './flowGraph.js'
import { titleOf } from './layout.js'

/** What happened to a request, for one sentence. */
export interface Verdict {
  readonly caller: string
  readonly target: Target
  /** The hosts that rewrote addresses of the request, in order. */
  readonly rewriters: readonly Rewriter[]
  /** `unknown` where neither a capture nor a prediction shows it. */
  readonly result: 'answered' | 'failed' | 'unknown'
  /** How it ends; absent if it is not known. */
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
  outcome: string,
  view: TopologyView,
): Verdict | undefined {
  const [first] = visits
  const sent = first?.moments[0]?.before
  if (first === undefined || sent === undefined) return undefined
  const path = known === undefined || 'unknown' in known ? undefined : known.path
  const service = serviceOf(sent.destination, view)
  const rewriters = visits.flatMap(({ place, direction, rewrites, opens }): Rewriter[] => {
    if (direction === 'answer' || rewrites.length === 0 || opens) return []
    const sides = [...new Set(rewrites.map(({ side }) => side))]
    const to = rewrites.find(({ side }) => side === 'destination')?.to
    const name = to === undefined ? undefined : hostOf(to.address, view)
    const of = new Set(service?.endpoints.map(addressOf)).size
    return [{ place, sides, chosen: name === undefined ? undefined : { name, of } }]
  })
  const answered = path === undefined ? outcome === 'answered' : path.end.kind === 'answered'
  const isOpen = path?.end.kind === 'untraceable' && outcome !== 'answered'
  return {
    caller: first.place,
    target: {
      socket: namedSocket(sent.destination, view),
      service: service && `${service.namespace}/${service.name}`,
    },
    rewriters,
    result: isOpen ? 'unknown' : answered ? 'answered' : 'failed',
    reason: path && decidedText(path.end),
  }
}

/** How a path ends, with its host. */
function decidedText({ reason, place }: Path['end']): string {
  return reason.includes(place) ? reason : `${place}: ${reason}`
}

/** The Service that has an address and port: a cluster IP, an external one, or a node port on a node. */
function serviceOf(
  { address, port }: TracedSocket,
  { nodes, services }: TopologyView,
): ServiceView | undefined {
  const isNode = nodes.some((node) => node.addresses.includes(address))
  return services.find(({ clusterIPs, externalIPs, ports }) =>
    ports.some((one) =>
      isNode
        ? one.nodePort !== undefined && one.nodePort === port?.first
        : [...clusterIPs, ...externalIPs].includes(address) && one.port === port?.first,
    ),
  )
}

function hostOf(address: string, { nodes, clients, pods }: TopologyView): string | undefined {
  const pod = pods.find(({ addresses }) => addresses.includes(address))
  const host = [...nodes, ...clients].find(({ addresses }) => addresses.includes(address))
  return host?.name ?? (pod && titleOf(pod))
}

function namedSocket(socket: TracedSocket, view: TopologyView): string {
  const text = tracedSocketText(socket)
  const name = hostOf(socket.address, view)
  return name === undefined ? text : text.replace(/^\[?[^\]]*?\]?(?=:\d+$|$)/, () => name)
}

function addressOf(endpoint: string): string {
  return endpoint.replace(/:\d+$/, '')
}
