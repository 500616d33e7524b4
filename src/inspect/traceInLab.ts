import { InputError } from '../errors.js'
import { joinSandbox, type Sandbox } from '../host/sandbox/sandbox.js'
import type { PreparedLab } from '../lab/plan/prepareLab.js'
import { hostsIn } from '../lab/trace/hostsIn.js'
import { withKernelState } from '../lab/trace/kernelState.js'
import type { PredictedLab } from '../lab/trace/predictedLab.js'
import { tracedLab } from '../lab/trace/tracedLab.js'
import { withRunningLab } from '../lab/up/withRunningLab.js'
import type { UpLab } from '../up/upLab.js'
import type { ObservedRequest } from '../lab/trace/observed.js'
import { traceIn, type LabRequest } from '../lab/trace/traceIn.js'

/** Starts the lab, sends the request, and removes the lab. Throws what `withRunningLab` and the trace throw. */
export async function traceInNewLab(request: LabRequest, signal: AbortSignal): Promise<ObservedRequest> {
  const options = { capture: false, signal }
  return withRunningLab(request.prepared, options, ({ sandbox }) => traceIn(sandbox, request))
}

/** Sends the request in a lab that is up. Throws InputError if its pods are not those of its files. */
export async function traceInUpLab(lab: UpLab, request: LabRequest): Promise<ObservedRequest> {
  return traceIn(joinUpLab(lab, request.prepared, 'without a running lab, trace starts one'), request)
}

/** The lab with what the kernel has now. Throws InputError if its pods are not those of its files. */
export async function asRunning(up: UpLab, lab: PredictedLab): Promise<PredictedLab> {
  const { prepared } = lab
  const sandbox = joinUpLab(up, prepared, 'without a running lab, why reads its files')
  const planned = tracedLab(prepared)
  const { topology } = prepared
  const kernel = await withKernelState(sandbox, planned, hostsIn(topology), topology.families)
  return { ...lab, running: { kernel, planned } }
}

function joinUpLab(lab: UpLab, { topology }: Pick<PreparedLab, 'topology'>, otherwise: string): Sandbox {
  const { nodes, clients, pods } = topology
  const planned = new Set([...nodes, ...clients, ...pods].map(({ netns }) => netns))
  const running = new Set(lab.places.map(({ netns }) => netns))
  const changed = [...planned, ...running].find((netns) => !planned.has(netns) || !running.has(netns))
  if (changed !== undefined) {
    const message = `the running lab "${lab.lab}" is not the one of its files: ${changed} ${planned.has(changed) ? 'is gone' : 'is new'}`
    throw new InputError([{ message, hint: `\`vethlab down ${lab.lab}\`; ${otherwise}` }])
  }
  return joinSandbox(lab.pid, lab.rootless)
}
