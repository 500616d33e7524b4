import { joinSandbox } from '../host/sandbox/sandbox.js'
import type { PreparedLab } from '../lab/plan/prepareLab.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { snapshotOf } from '../snapshot/fromPlan/plannedState.js'
import { kernelSnapshot, readSnapshot, readState } from '../host/readings.js'
import { question, type Question } from '../diagnose/question.js'
import { isLarge, readForRequest, type ReadOptions } from '../lab/trace/readForRequest.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { withRunningLab } from '../lab/up/withRunningLab.js'
import { readModel } from '../up/labModel.js'
import type { UpLab } from '../up/upLab.js'
import type { ObservedRequest } from '../lab/trace/observed.js'
import { traceIn, type LabRequest } from '../lab/trace/traceIn.js'

/** Starts the lab, sends the request, and removes the lab. Throws what `withRunningLab` and the trace throw. */
export async function traceInNewLab(
  prepared: PreparedLab,
  request: LabRequest,
  { signal, iptables }: { readonly signal: AbortSignal; readonly iptables?: IptablesBackend | undefined },
): Promise<ObservedRequest> {
  const options = { capture: false, signal, iptables }
  return withRunningLab(prepared, options, ({ sandbox }) => traceIn(sandbox, request))
}

/** Sends the request in a lab that is up. */
export async function traceInUpLab(
  lab: UpLab,
  request: LabRequest,
  signal?: AbortSignal,
): Promise<ObservedRequest> {
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  // after the signal, a tool that hangs is not waited for
  return traceIn(sandbox, request, signal).finally(() => sandbox.endCommands())
}

/** A running lab as its objects say that it is now. Throws InputError if the lab ends. */
export async function plannedUpLab(up: UpLab): Promise<Snapshot> {
  return snapshotOf(await readModel(up))
}

/** A running lab now: its objects, and what its kernels have. Throws InputError if the lab ends. */
export async function readUpLab(up: UpLab): Promise<Snapshot> {
  const sandbox = joinSandbox(up.pid, up.rootless)
  return readSnapshot(sandbox, await readModel(up))
}

/** A request in a running lab as its kernels are now; of a large lab, the namespaces on its paths are read. Throws InputError. */
export async function askInUpLab(
  up: UpLab,
  asked: Question,
  options: ReadOptions,
): Promise<{ readonly question: Question; readonly read?: ReadonlySet<string> | undefined }> {
  const sandbox = joinSandbox(up.pid, up.rootless)
  const { model } = asked.snapshot
  if (isLarge(model)) return readForRequest(sandbox, asked, options)
  const { nodes, clients, pods } = model.topology
  options.onRead(nodes.length + clients.length + pods.length)
  const state = options.change(await readState(sandbox, model))
  return { question: question(kernelSnapshot(model, state), asked.written) }
}
