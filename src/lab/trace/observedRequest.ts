import { runAction } from '../../host/actions/index.js'
import { readKernelRules } from '../../host/trace/kernelRules.js'
import { startKernelTrace, type KernelTrace } from '../../host/trace/kernelTrace.js'
import type { TracedPackets, TracedPlace } from '../../host/trace/traceListener.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { observerTable } from '../../netfilter/trace/observer.js'
import type { KernelRules } from '../../netfilter/trace/ruleHandles.js'
import type { Action, RequestResult } from '../../results/request.js'
import type { Topology } from '../../topology/types.js'
import { onePort, type TracedPacket } from '../../snapshot/model/packet.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import { compareTrace, gotBy } from '../../trace/observed/compare.js'
import { seenExchange, type SeenExchange, type Tunnels } from '../../trace/observed/connection.js'
import type { SeenHop } from '../../trace/observed/model.js'
import { seenHops } from '../../trace/observed/seenHops.js'
import { withSilentReceiver } from '../../trace/observed/silentReceiver.js'
import { predict } from '../../trace/predict.js'
import type { ObservedRequest } from './observed.js'

/** Sends requests in a running lab, and compares what the kernel reports with a prediction. */
export interface RequestTracer {
  /** Every packet since the start or the last call, by place. Throws CommandError if the kernel’s trace is not complete. */
  hops(): Promise<ReadonlyMap<string, readonly SeenHop[]>>
  /** Throws CommandError if the kernel’s trace is not complete, and what `packetOf` throws. */
  observe(request: RequestToTrace): Promise<ObservedRequest>
  stop(): Promise<void>
}

/** A request to send and to predict. */
export interface RequestToTrace {
  readonly state: TraceState
  /** The namespace that sends it. */
  readonly from: string
  readonly action: Action
  /** The packet to predict; it may depend on the address that a name has resolved to. */
  readonly packetOf: (result: RequestResult) => TracedPacket
  /** The state with what was read after the packet was sent, of places that it has met; `state` by default. */
  readonly stateAfter?: ((seen: SeenExchange) => Promise<TraceState>) | undefined
  /** Seconds in which an HTTP request connects, if its answer is not waited for. */
  readonly connectSeconds?: number | undefined
}

/**
 * Starts the kernel’s trace in every namespace of a lab, or only in these. Throws CommandError, CannotRunError, and the signal's reason
 * if it aborts first.
 */
export async function startRequestTracer(
  sandbox: Sandbox,
  topology: Pick<Topology, 'nodes' | 'clients' | 'pods' | 'families'>,
  packets: TracedPackets = 'first',
  signal?: AbortSignal,
  only?: ReadonlySet<string>,
): Promise<RequestTracer> {
  const places = placesOf(topology).filter(({ place }) => only?.has(place) ?? true)
  const isTraced = (place: string) => only?.has(place) ?? true
  const version = await sandbox.must('reading the version of iptables', ['iptables', '--version'])
  const backend = version.stdout.includes('nf_tables') ? 'nft' : 'legacy'
  const trace = await startKernelTrace(sandbox, places, { tracer: 'request', packets, backend, signal })
  const hops = () => hopsOf(sandbox, trace, places, topology.families)
  // nothing was sent since the start, which has waited for all listeners
  let hasSent = false
  return {
    stop: () => trace.stop(),
    hops,
    async observe({ state, from, packetOf, action, stateAfter, connectSeconds }) {
      if (hasSent) await trace.take()
      hasSent = true
      const [ran] = await runAction(sandbox, { netns: from }, action, {
        repeat: 1,
        giveUpAfter: 1,
        connectSeconds,
      })
      if (ran === undefined) throw new Error(`no request was sent from ${from}`)
      const all = await hops()
      const sent = withSourcePort(packetOf(ran), ran)
      const seenOf = (place: string, packet: TracedPacket) =>
        seenExchange(all, place, packet, tunnelsOf(state))
      const exchange = seenOf(from, sent)
      const result = withError(ran, action, exchange)
      const now = (exchange && (await stateAfter?.(exchange))) ?? state
      const prediction = withSilentReceiver(predict(now, from, sent), exchange)
      const comparison = compareTrace(prediction, exchange, seenOf, isTraced)
      return { result, packet: sent, state: now, prediction, exchange, comparison, all }
    },
  }
}

/** netcat does not print with which error reading from a socket of UDP fails: the kernel’s trace shows the ICMP error. */
function withError(result: RequestResult, action: Action, exchange: SeenExchange | undefined): RequestResult {
  const isOpen = action.kind === 'nc' && action.udp && result.outcome === 'refused' && exchange !== undefined
  return isOpen && gotBy(exchange) === 'unreachable' ? { ...result, outcome: 'unreachable' } : result
}

async function hopsOf(
  sandbox: Sandbox,
  trace: KernelTrace,
  places: readonly TracedPlace[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, readonly SeenHop[]>> {
  const messages = await trace.take()
  const hasRules = (place: string) =>
    messages.get(place)?.some(({ table, type }) => table !== observerTable && type !== 'return') === true
  const rules = await readKernelRules(
    sandbox,
    places.filter(({ place }) => hasRules(place)),
    families,
  )
  return new Map(
    places.map(({ place }) => [
      place,
      seenHops(messages.get(place) ?? [], {
        place,
        rules: rules.get(place) ?? noRules,
        interfaces: trace.interfaces.get(place) ?? new Map<number, string>(),
      }),
    ]),
  )
}

const noRules: KernelRules = { rule: () => undefined, policy: () => undefined }

function placesOf({ nodes, clients, pods }: Pick<Topology, 'nodes' | 'clients' | 'pods'>): TracedPlace[] {
  const own = [...nodes, ...clients, ...pods].map(({ netns }) => ({ place: netns, netns }))
  return [{ place: fabricPlace, netns: undefined }, ...own]
}

/** A packet with the source port that its sender has reported. */
export function withSourcePort(packet: TracedPacket, { local }: RequestResult): TracedPacket {
  if (local?.port === undefined || local.port === 0) return packet
  return { ...packet, source: { ...packet.source, port: onePort(local.port) } }
}

/** The tunnels of a network. */
export function tunnelsOf({ network }: Pick<TraceState, 'network'>): Tunnels {
  const tunnels = network.links.flatMap(({ netns, name, type }) =>
    type.kind === 'vxlan' ? [{ place: netns ?? fabricPlace, name, port: type.port }] : [],
  )
  return {
    ports: new Set(tunnels.map(({ port }) => port)),
    isDevice: (place, device) => tunnels.some((one) => one.place === place && one.name === device),
  }
}
