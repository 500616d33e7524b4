import * as z from 'zod'
import { whileRunning } from '../../host/sandbox/sandbox.js'
import type { Action } from '../../results/request.js'
import { callback, checkArguments, duration, nonEmpty } from '../../text/checkArguments.js'
import { labChanges } from '../changes/labChanges.js'
import { placeOf } from '../../names/placeOf.js'
import { resolveCall } from '../names/resolveStep.js'
import { actionShape, port, startShape, tracedProtocol, url } from '../argumentShapes.js'
import { prepareLab } from '../plan/prepareLab.js'
import { question } from '../../diagnose/question.js'
import { snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import { traceIn } from '../trace/traceIn.js'
import type { FlowRequest, LabHandle, WithLabOptions } from './labHandle.js'
import type { RunningLab } from './runningLab.js'
import { withRunningLab } from './withRunningLab.js'

const shape = { nameOrPath: nonEmpty, use: callback, options: z.strictObject(startShape) }

/**
 * Starts a lab in its own sandbox, calls `use` with it, and always removes it; returns the result of `use`.
 * Throws InputError for an invalid lab, CannotRunError when the host cannot run it.
 */
export async function withLab<Result>(
  nameOrPath: string,
  use: (lab: LabHandle) => Promise<Result>,
  options: WithLabOptions = {},
): Promise<Result> {
  checkArguments('withLab', shape, { nameOrPath, use, options })
  return withRunningLab(prepareLab(nameOrPath, options), options, (running) =>
    whileRunning(running.sandbox, use(handle(running))),
  )
}

const execShape = {
  place: nonEmpty,
  argv: z.array(z.string()).min(1),
  options: z.strictObject({ input: z.string().optional(), timeoutMs: duration.optional() }),
}

const traceShape = {
  from: nonEmpty,
  to: nonEmpty,
  options: z.strictObject({ protocol: tracedProtocol.optional(), sourcePort: port.optional() }),
}

function handle(running: RunningLab): LabHandle {
  const { live, prepared } = running
  const find = (reference: string) => {
    const { names, topology } = live.state()
    return placeOf(names, topology.places, reference)
  }
  return {
    ...labChanges(live, { ignoreKinds: prepared.ignoreKinds, namespace: prepared.lab.namespace }),
    get topology() {
      return live.state().view
    },
    get objects() {
      return live.state().cluster
    },
    addresses(name) {
      checkArguments('addresses', { name: nonEmpty }, { name })
      const looked = live.state().names.lookup(name)
      return 'found' in looked
        ? looked.found[0].addresses
        : find(name).addresses.map(({ address }) => address)
    },
    async exec(place, argv, options = {}) {
      checkArguments('exec', execShape, { place, argv, options })
      return running.exec(find(place), argv, options)
    },
    async flow(place, request) {
      const shape = typeof request === 'string' ? url : actionShape
      checkArguments('flow', { place: nonEmpty, request: shape }, { place, request })
      const { names } = live.state()
      const action = resolveCall(toAction(request), names, prepared.lab.directory)
      const seen = await running.observe(find(place), action, 1, {
        packets: true,
        ruleCounts: true,
        conntrack: true,
      })
      const [first] = seen.requests
      if (first === undefined) throw new Error(`no request was made from ${place}`)
      return {
        request: first,
        flow: seen.flows[0],
        flows: seen.flows,
        ruleCounts: seen.ruleCounts,
        conntrack: seen.conntrack,
      }
    },
    async trace(from, to, options = {}) {
      checkArguments('trace', traceShape, { from, to, options })
      const planned = snapshotOf(running.model())
      const asked = question(planned, { protocol: 'tcp', ...options, from, to })
      running.disturbed()
      return traceIn(running.sandbox, { question: asked, packets: 'first', change: (read) => read })
    },
  }
}

function toAction(request: FlowRequest): Action {
  if (typeof request === 'string') return { kind: 'curl', url: request, headers: {}, timeoutSeconds: 30 }
  if (request.kind !== 'nc') return request
  const { port } = request
  return { ...request, ...(typeof port === 'number' ? { port } : { port: 0, portText: port }) }
}
