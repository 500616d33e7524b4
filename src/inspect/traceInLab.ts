import { InputError } from '../errors.js'
import { joinSandbox, type Sandbox } from '../host/sandbox/sandbox.js'
import type { TracedPackets } from '../host/trace/kernelTrace.js'
import type { PreparedLab } from '../lab/plan/prepareLab.js'
import { withRunningLab } from '../lab/up/withRunningLab.js'
import { joinHostPort } from '../net/socketText.js'
import type { Action } from '../results/request.js'
import type { TracedPacket } from '../trace/model/packet.js'
import type { TraceState } from '../trace/model/state.js'
import type { UpLab } from '../up/upLab.js'
import { withKernelState } from '../lab/trace/kernelState.js'
import { startRequestTracer, type ObservedRequest } from '../lab/trace/observedRequest.js'

/** A request to send once, in a lab. */
export interface LabRequest {
  readonly prepared: PreparedLab
  readonly state: TraceState
  /** The namespace that sends it. */
  readonly from: string
  readonly packet: TracedPacket
  /** As the user wrote it. */
  readonly to: string
  readonly packets: TracedPackets
  /** Changes the state of the prediction after it was read. */
  readonly change: (state: TraceState) => TraceState
}

/** Seconds in which a request must be answered. */
const patienceSeconds = 5

/** Starts the lab, sends the request, and removes the lab. Throws what `withRunningLab` and the trace throw. */
export async function traceInNewLab(request: LabRequest, signal: AbortSignal): Promise<ObservedRequest> {
  const options = { capture: false, signal }
  return withRunningLab(request.prepared, options, ({ sandbox }) => traceIn(sandbox, request))
}

/** Sends the request in a lab that is up. Throws InputError if its pods are not those of its files. */
export async function traceInUpLab(lab: UpLab, request: LabRequest): Promise<ObservedRequest> {
  const { nodes, clients, pods } = request.prepared.topology
  const planned = new Set([...nodes, ...clients, ...pods].map(({ netns }) => netns))
  const running = new Set(lab.places.map(({ netns }) => netns))
  const changed = [...planned, ...running].find((netns) => !planned.has(netns) || !running.has(netns))
  if (changed !== undefined) {
    const message = `the running lab "${lab.lab}" is not the one of its files: ${changed} ${planned.has(changed) ? 'is gone' : 'is new'}`
    throw new InputError([
      { message, hint: `\`vethlab down ${lab.lab}\`; without a running lab, trace starts one` },
    ])
  }
  return traceIn(joinSandbox(lab.pid, lab.rootless), request)
}

async function traceIn(
  sandbox: Sandbox,
  { prepared, state, from, packet, to, packets, change }: LabRequest,
): Promise<ObservedRequest> {
  const { nodes, clients, families } = prepared.topology
  const places = [...nodes, ...clients].map(({ netns }) => netns)
  const [now, tracer] = await Promise.all([
    withKernelState(sandbox, state, places, families),
    startRequestTracer(sandbox, prepared.topology, packets),
  ])
  try {
    const action = actionOf(packet, to)
    return await tracer.observe({ state: change(now), from, action, packetOf: () => packet })
  } finally {
    await tracer.stop()
  }
}

/** What sends the packet: curl for a URL, else netcat or ping. */
function actionOf({ protocol, source, destination }: TracedPacket, to: string): Action {
  const { address, port } = destination
  const timeoutSeconds = patienceSeconds
  if (protocol === 'icmp') return { kind: 'ping', host: address, count: 1, timeoutSeconds }
  const number = port?.first ?? 0
  const sourcePort = source.port?.first === source.port?.last ? source.port?.first : undefined
  // names in braces are not part of a URL
  const [, scheme, path = ''] = /^(https?):\/\/[^/?#]*(.*)$/i.exec(to) ?? []
  if (scheme !== undefined && sourcePort === undefined) {
    const url = `${scheme}://${joinHostPort(address, number)}${path}`
    return { kind: 'curl', url, headers: {}, insecure: true, timeoutSeconds }
  }
  const udp = protocol === 'udp'
  return { kind: 'nc', host: address, port: number, udp, sourcePort, send: 'trace', timeoutSeconds }
}
