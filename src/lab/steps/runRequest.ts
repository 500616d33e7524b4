import { actionArguments } from '../../host/actions/index.js'
import type { CallerGot, Flow } from '../../packets/types.js'
import type { StepResult } from '../../results/events.js'
import { needsOf } from './evaluate.js'
import { exchangesOf, type Exchange } from './exchanges.js'
import type { Loads } from '../loads/loads.js'
import { placeOf } from '../../names/placeOf.js'
import { resolveExpectations } from '../names/resolveStep.js'
import { probedCells } from './probedCells.js'
import { startRulesAround } from './rulesAround.js'
import { shellWords } from '../file/shellWords.js'
import { socketText } from '../../net/socketText.js'
import { evaluateIn, stepResult, unresolved } from './stepResult.js'
import { contextNow, type BegunStep } from './stepRun.js'
import { callerGot, type Action, type RequestResult } from '../../results/request.js'

/** Loaded by the first step that needs it: most labs have none. */
const stepTrace = () => import('../trace/stepTrace.js')
/** Loaded by the first step that fails. */
const failedRequests = () => import('../trace/whyFailed.js')

/** Runs and evaluates a step that makes requests or runs a command. */
export async function runRequest(begun: BegunStep, action: Action): Promise<StepResult> {
  const { running, loads, next, keepCaptures, step: begunStep, startedAt, explains } = begun
  const { names, topology } = running.live.state()
  const place = placeOf(names, topology.places, begunStep.from ?? '')
  const report = {
    action: shellWords(actionArguments(action)) + (begunStep.repeat > 1 ? `  × ${begunStep.repeat}` : ''),
    from: place.name,
    startedAt,
  }
  const { value: step, problems } = resolveExpectations(begunStep, contextNow(running))
  if (problems.length > 0) return stepResult(step, report, unresolved(problems))
  const needs = needsOf(step)
  const rulesAround = needs.rules === true ? await startRulesAround(running) : undefined
  const busy = loads.running().length > 0
  if (busy || rulesAround !== undefined) running.disturbed()
  const traced =
    needs.path === true || needs.why === true
      ? await (
          await stepTrace()
        ).startStepTrace(running, { place, from: begunStep.from ?? '', action }, needs)
      : undefined
  const seen = await running.observe(place, action, step.repeat, {
    ...needs,
    ruleCountsNext: next !== undefined && needsOf(next).ruleCounts === true,
    last: next === undefined && !keepCaptures,
    expected: [step.expect['fails']].flat(),
  })
  const [request] = seen.requests
  const path = request && (await traced?.(request))
  const flows = withoutLoads(seen.flows, seen.requests, loads, place.netns)
  const state = running.live.state()
  const rules = await rulesAround?.()
  const connectivity = await probedCells(begun, step)
  const checks = evaluateIn(running.prepared, state, step, {
    ...{ ...seen, ...path, flows, cluster: state.cluster, rules, connectivity },
  })
  const exchanges = action.kind === 'command' ? [] : exchangesOf({ ...seen, flows })
  const result = stepResult(step, report, checks, withCallers(flows, exchanges))
  if (result.ok || !explains || request === undefined || action.kind === 'command') return result
  const { whyFailed } = await failedRequests()
  const failed = seen.requests.find(({ outcome }) => outcome !== 'answered') ?? request
  const why = await whyFailed(running, { from: begunStep.from ?? '', action, request: failed })
  return why === undefined ? result : { ...result, why }
}

/** The flows with what the caller got, of requests whose flow is known. */
function withCallers(flows: readonly Flow[], exchanges: readonly Exchange[]): readonly Flow[] {
  const known = exchanges.flatMap(({ request, flows: [one, ...others] }): [number, CallerGot][] =>
    one === undefined || others.length > 0 ? [] : [[one.index, callerGot(request)]],
  )
  const callers = new Map(known)
  return flows.map((flow, index) => {
    const caller = callers.get(index)
    return caller === undefined ? flow : { ...flow, caller }
  })
}

/** The flows without those of a load from the same place to the same address, except if the socket is the step's. */
function withoutLoads(
  flows: readonly Flow[],
  requests: readonly RequestResult[],
  loads: Loads,
  netns: string,
): readonly Flow[] {
  const here = loads.running().filter(({ place }) => place.netns === netns)
  if (here.length === 0) return flows
  const called = new Set(here.flatMap((load) => load.results()).flatMap(({ remote }) => textOf(remote)))
  const own = new Set(requests.flatMap(({ local }) => textOf(local)))
  return flows.filter(
    ({ source, destination }) => own.has(socketText(source)) || !called.has(socketText(destination)),
  )
}

function textOf(socket: RequestResult['local']): string[] {
  return socket === undefined ? [] : [socketText(socket)]
}
