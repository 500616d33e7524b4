import { isKnownError } from '../../errors.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { traceTurn } from '../../host/trace/traceTurn.js'
import type { Action, RequestResult } from '../../results/request.js'
import type { Place, Topology } from '../../topology/types.js'
import { rulesInOrder } from '../../trace/observed/rulesInOrder.js'
import { seenExchange } from '../../trace/observed/connection.js'
import type { Observation } from '../observation.js'
import type { Needs } from '../types.js'
import type { RunningLab } from '../up/runningLab.js'
import { whyRequest } from '../../diagnose/why/whyRequest.js'
import { calledBy } from '../../diagnose/calledBy.js'
import { question } from '../../diagnose/question.js'
import { snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import { readSnapshot } from '../../host/readings.js'
import { startRequestTracer, tunnelsOf, withSourcePort, type RequestTracer } from './observedRequest.js'

/** What a step has observed of the path of its request. */
export type StepPath = Pick<Observation, 'path' | 'why'>

/**
 * Reads what the expectations `path` and `why` need before a request: the state of the kernel, and its trace from now on. The
 * returned function is called once, after the request. Throws CommandError and CannotRunError.
 */
export async function startStepTrace(
  { model, sandbox }: Pick<RunningLab, 'model' | 'sandbox'>,
  { place, from, action }: { readonly place: Place; readonly from: string; readonly action: Action },
  needs: Needs,
): Promise<(request: RequestResult) => Promise<StepPath>> {
  const now = model()
  const planned = snapshotOf(now)
  const [read, tracer] = await Promise.all([
    needs.why === true ? readSnapshot(sandbox, now) : undefined,
    needs.path === true ? tracerInTurn(sandbox, now.topology) : undefined,
  ])
  return async (request) => {
    try {
      const written = { from, ...calledBy(action, request) }
      const packet = withSourcePort(question(planned, written).packet, request)
      const hops = await tracer?.hops()
      const exchange = hops && seenExchange(hops, place.netns, packet, tunnelsOf(planned.state))
      return {
        path: exchange && rulesInOrder(exchange, place.netns),
        why: read && whyRequest(read, written),
      }
    } catch (error) {
      // a request whose address is not known has no path: the expectations fail
      if (isKnownError(error) && error.exitCode === 2) return {}
      throw error
    } finally {
      await tracer?.stop()
    }
  }
}

/** A tracer that has its turn until it is stopped. */
async function tracerInTurn(sandbox: Sandbox, topology: Topology): Promise<RequestTracer> {
  const endTurn = await traceTurn(sandbox)
  try {
    const tracer = await startRequestTracer(sandbox, topology)
    return { ...tracer, stop: () => tracer.stop().finally(endTurn) }
  } catch (error) {
    endTurn()
    throw error
  }
}
