import { InputError } from '../errors.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
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
