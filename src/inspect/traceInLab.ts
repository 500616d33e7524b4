import { joinSandbox } from '../host/sandbox/sandbox.js'
import type { PrepareOptions } from '../lab/plan/prepareOptions.js'
import { readState } from '../lab/trace/readState.js'
import type { PresentLab } from '../lab/trace/predictOptions.js'
import type { PredictedLab } from '../lab/trace/predictedLab.js'
import { tracedLab } from '../lab/trace/tracedLab.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { withRunningLab } from '../lab/up/withRunningLab.js'
import { readLabState } from '../up/labState.js'
import type { UpLab } from '../up/upLab.js'
import type { ObservedRequest } from '../lab/trace/observed.js'
import { traceIn, type LabRequest } from '../lab/trace/traceIn.js'

/** Starts the lab, sends the request, and removes the lab. Throws what `withRunningLab` and the trace throw. */
export async function traceInNewLab(
  request: LabRequest,
  { signal, iptables }: { readonly signal: AbortSignal; readonly iptables?: IptablesBackend | undefined },
): Promise<ObservedRequest> {
  const options = { capture: false, signal, iptables }
  return withRunningLab(request.prepared, options, ({ sandbox }) => traceIn(sandbox, request))
}

/** Sends the request in a lab that is up; `request.prepared` has its present objects. */
export async function traceInUpLab(
  lab: UpLab,
  request: LabRequest,
  signal?: AbortSignal,
): Promise<ObservedRequest> {
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  // after the signal, a tool that hangs is not waited for
  return traceIn(sandbox, request, signal).finally(() => sandbox.endCommands())
}

/** What a request meets in a running lab now. Throws InputError if the lab ends. */
export async function metIn(up: UpLab): Promise<{
  readonly directory: string
  readonly present: PresentLab
  readonly options: PrepareOptions
}> {
  return { directory: up.directory, ...(await readLabState(up)) }
}

/** The lab, which has its present objects, with what the kernel has now. */
export async function asRunning(up: UpLab, lab: PredictedLab): Promise<PredictedLab> {
  const { prepared } = lab
  const planned = tracedLab(prepared)
  const { topology } = prepared
  const sandbox = joinSandbox(up.pid, up.rootless)
  const kernel = await readState(sandbox, topology, planned)
  return { ...lab, running: { kernel, planned } }
}
