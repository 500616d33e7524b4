import { InputError } from '../../errors.js'
import { cellOf, endsText, type Cell } from '../../diagnose/reach/cell.js'
import { askedOf } from '../../diagnose/reach/matrix.js'
import { isDefaultRoute, routedBy } from '../../diagnose/reach/outsideHosts.js'
import type { ReachComparison } from '../../diagnose/reach/compare.js'
import type { PredictedRequest, ReachRequest } from '../../diagnose/reach/requests.js'
import { readState } from '../../host/readings.js'
import { traceTurn } from '../../host/trace/traceTurn.js'
import { familyOf } from '../../net/ipFamily.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import { startRequestTracer, type RequestTracer } from '../trace/observedRequest.js'
import { actionOf } from '../trace/traceIn.js'
import type { ObservedRequest } from '../trace/observed.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { RunningLab } from '../up/runningLab.js'
import { withRunningLab } from '../up/withRunningLab.js'
import { requestIn, withSenders } from './proofLab.js'

/** What happened to one packet of a request. */
export interface ProvenRequest {
  readonly request: ReachRequest
  /** Whether the kernel did as a predicted path says, and it ends in one of the predicted ways; undefined if it was not sent. */
  readonly agrees?: boolean | undefined
  /** How the request ended, or why it was not sent. */
  readonly observed: string
}

/** Seconds in which a request must be answered. */
const patienceSeconds = 3

/**
 * Starts a lab, sends one packet of each request, and compares the rules that it meets in the kernel and its end with the
 * prediction. Throws what `withRunningLab` and the trace throw.
 */
export async function proveRequests(
  prepared: PreparedLab,
  requests: readonly PredictedRequest[],
  signal?: AbortSignal,
): Promise<ProvenRequest[]> {
  const lab = withSenders(
    prepared,
    requests.map(({ request }) => request),
  )
  return withRunningLab(lab, { capture: false, signal }, (running) => proveIn(running, requests, signal))
}

/** What packets say about a comparison. */
export interface ReachProof {
  /** Of each group, its counterexample on both sides. */
  readonly groups: readonly ProvenPair[]
  /** Requests that should end alike on both sides. */
  readonly sample: readonly ProvenPair[]
}

/** A request on both sides; undefined on one that does not have it. */
export interface ProvenPair {
  readonly before?: ProvenRequest | undefined
  readonly after?: ProvenRequest | undefined
}

/** Sends the packets of the counterexamples and of the sample in two labs, one after the other. Throws what `proveRequests` throws. */
export async function proveComparison(
  { groups, sample }: ReachComparison,
  labs: readonly [before: PreparedLab, after: PreparedLab],
  signal?: AbortSignal,
): Promise<ReachProof> {
  const pairs = [...groups.map(({ first }) => first), ...sample]
  const proveSide = async (lab: PreparedLab, side: 'before' | 'after') => {
    const asked = pairs.map((pair) => {
      const cell = pair[side]
      return cell && { request: pair.request, cell }
    })
    const proven = (
      await proveRequests(
        lab,
        asked.flatMap((one) => one ?? []),
        signal,
      )
    ).values()
    return asked.map((one) => one && proven.next().value)
  }
  const before = await proveSide(labs[0], 'before')
  const after = await proveSide(labs[1], 'after')
  const proven = pairs.map((_, index): ProvenPair => ({ before: before[index], after: after[index] }))
  return { groups: proven.slice(0, groups.length), sample: proven.slice(groups.length) }
}

async function proveIn(
  { sandbox, prepared }: RunningLab,
  requests: readonly PredictedRequest[],
  signal: AbortSignal | undefined,
): Promise<ProvenRequest[]> {
  const endTurn = await traceTurn(sandbox, signal)
  const tracer = await startRequestTracer(sandbox, prepared.topology, 'first', signal)
  try {
    const proven: ProvenRequest[] = []
    let state = await readState(sandbox, prepared)
    for (const one of requests) {
      signal?.throwIfAborted()
      proven.push(await proveOne({ sandbox, prepared, tracer, state }, one))
      // the node remembers the endpoint of a client
      if (one.cell.affinity) state = await readState(sandbox, prepared)
    }
    return proven
  } finally {
    await tracer.stop().finally(endTurn)
  }
}

interface ProvingLab extends Pick<RunningLab, 'sandbox' | 'prepared'> {
  readonly tracer: RequestTracer
  readonly state: TraceState
}

async function proveOne(
  { sandbox, prepared, tracer, state: read }: ProvingLab,
  { request: given, cell }: PredictedRequest,
): Promise<ProvenRequest> {
  try {
    if (given.target.protocol === 'sctp') return { request: given, observed: 'not sent: SCTP' }
    const request = requestIn(prepared, given)
    const { by, source, target } = request
    const snapshot: Snapshot = { basis: 'kernel', model: prepared, state: read, notices: [] }
    const { from, packet } = askedOf(snapshot).packetOf(request)
    const via = by?.addresses.find(({ family }) => family === familyOf(target.address))?.address
    const state = by === undefined || via === undefined ? read : routedBy(read, from, [via])
    const setRoute = async (to: string | undefined) => {
      const family = familyOf(target.address) === 'IPv4' ? '-4' : '-6'
      const route = ['default', ...(to === undefined ? [] : ['via', to]), 'dev', 'eth0']
      const argv = ['ip', family, 'route', to === undefined ? 'delete' : 'replace', ...route]
      await sandbox.must(`routing ${source.label} by ${by?.name ?? 'the fabric'}`, argv, { netns: from })
    }
    if (via !== undefined) await setRoute(via)
    const action = actionOf(packet, '', patienceSeconds)
    const observe = () => tracer.observe({ state, from, action, packetOf: () => packet })
    const seen = await observe().finally(() =>
      via === undefined ? undefined : setRoute(defaultRoute(read, from, target.address)),
    )
    return { request: given, ...verdict(seen, { ...snapshot, state }, cell) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { request: given, observed: `not sent: ${error.message}` }
  }
}

function defaultRoute({ network }: TraceState, netns: string, address: string): string | undefined {
  return network.routes.find(
    ({ netns: own, to, via }) =>
      own === netns && via !== undefined && isDefaultRoute(to) && familyOf(via) === familyOf(address),
  )?.via
}

/** Compares an observed request with the path that is predicted in its lab, and the end of that path with the predicted ends. */
function verdict(
  { comparison, prediction, result }: ObservedRequest,
  snapshot: Snapshot,
  cell: Cell,
): Pick<ProvenRequest, 'agrees' | 'observed'> {
  const [first] = comparison.differences
  if (first !== undefined) {
    const { place, what, predicted, observed } = first
    return {
      agrees: false,
      observed: `${result.outcome}; ${what} on ${place}: predicted ${predicted}, observed ${observed}`,
    }
  }
  const path = prediction.paths[comparison.path]
  const own = cellOf(
    { paths: path === undefined ? [] : [{ ...path, probability: 1 }], complete: true },
    snapshot,
  )
  const leaves = cell.ends.some(({ kind }) => kind === 'leaves')
  if (leaves && own.ends.every(({ who }) => who === fabricPlace))
    return { agrees: true, observed: `leaves the cluster (in the lab: ${endsText(own)})` }
  const agrees = own.ends.every((end) =>
    cell.ends.some(({ kind, who }) => kind === end.kind && (kind !== 'received' || who === end.who)),
  )
  return { agrees, observed: endsText(own) }
}
