import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { traceTurn } from '../../host/trace/traceTurn.js'
import type { TracedPackets } from '../../host/trace/traceListener.js'
import { joinHostPort } from '../../net/socketText.js'
import { callerGot, callerText, type Action } from '../../results/request.js'
import { withCaller } from '../../trace/observed/callerDifference.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Question } from '../../diagnose/question.js'
import { endedSoon, unlessAborted } from '../../host/sandbox/unlessAborted.js'
import { readState } from '../../host/readings.js'
import { startRequestTracer } from './observedRequest.js'
import type { Path } from '../../trace/model/steps.js'
import type { ObservedRequest } from './observed.js'
import { coverageOf, isLarge, readForRequest, readMore } from './readForRequest.js'

/** A request to send once, in a lab. */
export interface LabRequest {
  readonly question: Question
  readonly packets: TracedPackets
  /** Changes the state of the prediction after it was read. */
  readonly change: (state: TraceState) => TraceState
  /** Called before namespaces are read, with their number. Given, a large lab is read and traced on the paths of the request only. */
  readonly onRead?: ((places: number) => void) | undefined
  /** Called when the lab was read and the trace runs: the packet is sent next. */
  readonly onSend?: (() => void) | undefined
}

/** How long the end of a trace is waited for after the signal. */
const endMs = 1500
/** Seconds in which a request must be answered. */
const patienceSeconds = 5

/**
 * Sends the request when no other trace runs in the lab, and compares the kernel’s trace with the prediction. Whatever happens, the
 * trace is removed from the lab, unless a tool hangs after the signal: the next trace then replaces it. Throws CommandError,
 * CannotRunError, and the signal's reason if it aborts first.
 */
export async function traceIn(
  sandbox: Sandbox,
  { question, packets, change, onRead, onSend }: LabRequest,
  signal?: AbortSignal,
): Promise<ObservedRequest> {
  const { from, packet, written } = question
  const { model } = question.snapshot
  const { topology } = model
  const endTurn = await traceTurn(sandbox, signal)
  const reading =
    onRead === undefined || !isLarge(model)
      ? undefined
      : readForRequest(sandbox, question, { change, onRead })
  const start = (only?: ReadonlySet<string>) => startRequestTracer(sandbox, topology, packets, signal, only)
  const starting = reading?.then(({ read }) => start(read)) ?? start()
  const observe = async (): Promise<ObservedRequest> => {
    const action = actionOf(packet, written.to)
    const asked = { from, action, packetOf: () => packet }
    if (reading === undefined) {
      onRead?.(topology.nodes.length + topology.clients.length + topology.pods.length)
      const [now, tracer] = await Promise.all([readState(sandbox, model), starting])
      onSend?.()
      return tracer.observe({ ...asked, state: change(now) })
    }
    const [first, tracer] = await Promise.all([reading, starting])
    let { read } = first
    onSend?.()
    const observed = await tracer.observe({
      ...asked,
      state: first.question.snapshot.state,
      async stateAfter(seen) {
        const all = await readMore(sandbox, first, seen, change)
        read = all.read
        return all.state
      },
    })
    return { ...observed, coverage: coverageOf(model, pathOf(observed), read, first.read) }
  }
  try {
    const observed = await unlessAborted(signal, observe())
    const got = callerText(callerGot(observed.result))
    return {
      ...observed,
      comparison: withCaller(observed.comparison, pathOf(observed), observed.result, got),
    }
  } finally {
    const removed = starting.then(
      (tracer) => tracer.stop(),
      () => undefined,
    )
    await endedSoon(signal, endMs, removed.finally(endTurn))
  }
}

function pathOf({ prediction, comparison }: ObservedRequest): Path | undefined {
  return prediction.paths[comparison.path]
}

/** What sends the packet: curl for a URL, else netcat or ping. */
export function actionOf(
  { protocol, source, destination, head }: TracedPacket,
  to: string,
  timeoutSeconds = patienceSeconds,
): Action {
  const { address, port } = destination
  if (protocol === 'icmp') return { kind: 'ping', host: address, count: 1, timeoutSeconds }
  const number = port?.first ?? 0
  const sourcePort = source.port?.first === source.port?.last ? source.port?.first : undefined
  // names in braces are not part of a URL
  const [, scheme, path = ''] = /^(https?):\/\/[^/?#]*(.*)$/i.exec(to) ?? []
  if (scheme !== undefined && sourcePort === undefined) {
    const named = head !== undefined && head.host !== address
    const url = `${scheme}://${named ? `${head.host}:${number}` : joinHostPort(address, number)}${path}`
    const resolve = named ? address : undefined
    return { kind: 'curl', url, headers: {}, resolve, insecure: true, timeoutSeconds }
  }
  const udp = protocol === 'udp'
  return { kind: 'nc', host: address, port: number, udp, sourcePort, send: 'trace', timeoutSeconds }
}
