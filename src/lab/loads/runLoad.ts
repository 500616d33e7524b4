import { actionArguments } from '../../host/actions/index.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import { changeText } from '../changes/changeText.js'
import type { LoadAction, StopAction } from '../changes/types.js'
import { namesOf } from '../../names/names.js'
import { placeOf } from '../../names/placeOf.js'
import { resolveExpectations, type ResolvedStep } from '../names/resolveStep.js'
import { shellWords } from '../file/shellWords.js'
import type { RunningLab } from '../up/runningLab.js'
import { evaluateIn, nothingSeen, stepResult, unresolved } from '../steps/stepResult.js'
import { contextNow, type BegunStep } from '../steps/stepRun.js'
import type { RequestResult } from '../../results/request.js'
import { loadSummary } from './loadSummary.js'
import type { LoadSeen, RunningLoad } from './loads.js'

/** Starts a load; it is running when its first requests have ended. */
export async function runLoad(begun: BegunStep, action: LoadAction): Promise<StepResult> {
  const { running, loads, step, startedAt } = begun
  const { names, topology } = running.live.state()
  const place = placeOf(names, topology.places, step.from ?? '')
  running.disturbed()
  const load = await loads.start(step, action, place)
  const trouble = await load.underWay()
  const every = `every ${Math.round(action.everySeconds * 1000)} ms`
  const many = action.parallel > 1 ? `  × ${action.parallel}` : ''
  const report = {
    action: `${shellWords(actionArguments(action.request))}  ${every}${many}`,
    from: place.name,
    startedAt,
  }
  return stepResult(step, report, [underWay(action.load, trouble)])
}

/** Ends a load and evaluates it. */
export async function runStop(begun: BegunStep, action: StopAction): Promise<StepResult> {
  const { running, loads, step, startedAt } = begun
  const load = loads.take(action.load)
  const report = { action: changeText(action), startedAt }
  if (load === undefined)
    return stepResult(step, report, [
      {
        name: `${action.load} stops`,
        ok: false,
        expected: 'a load that runs',
        observed: 'none of this name does',
      },
    ])
  const seen = await load.stop()
  const summary = loadSummary(action.load, seen)
  return stepResult(step, { ...report, summary }, evaluateLoad(running, load, [load.step, step], seen))
}

/** Ends a load that no step has stopped. */
export async function endLoad(running: RunningLab, load: RunningLoad): Promise<StepResult> {
  const startedAt = performance.now()
  const seen = await load.stop()
  const summary = loadSummary(load.action.load, seen)
  const report = { action: `stop ${load.action.load}`, startedAt, summary }
  return stepResult(
    { name: `At the end: ${load.step.name}` },
    report,
    evaluateLoad(running, load, [load.step], seen),
  )
}

/** Names include all pods that existed while it ran; by default every request has to be answered. */
function evaluateLoad(
  running: RunningLab,
  load: RunningLoad,
  steps: readonly ResolvedStep[],
  { requests, during, pods, trouble }: LoadSeen,
): CheckResult[] {
  const { cluster, view } = running.live.state()
  const allThatWere = { ...view, pods: [...pods] }
  const names = namesOf(allThatWere)
  const context = { ...contextNow(running), names }
  const expecting = steps.filter(({ expect }) => Object.keys(expect).length > 0)
  const evaluated = expecting.length > 0 ? expecting : [{ ...load.step, expect: { answered: true } }]
  const checks = evaluated.flatMap((step) => {
    const { value, problems } = resolveExpectations(step, context, requests.length)
    if (problems.length > 0) return unresolved(problems)
    const evaluateAs = (expect: ResolvedStep['expect'], some: readonly RequestResult[]) =>
      evaluateIn(
        running.prepared,
        { view: allThatWere, names },
        { ...value, expect },
        { ...nothingSeen, requests: some, during, cluster },
      )
    const answered = requests.filter(({ outcome }) => outcome === 'answered')
    return [
      ...evaluateAs(
        pick(value.expect, (key) => ofAll.includes(key)),
        requests,
      ),
      ...evaluateAs(
        pick(value.expect, (key) => !ofAll.includes(key)),
        answered,
      ),
    ]
  })
  return trouble === undefined ? checks : [underWay(load.action.load, trouble), ...checks]
}

/** Expectations about all requests; the others are about the answered ones. */
const ofAll = ['answered', 'lost', 'refused', 'reset']

function pick(expect: ResolvedStep['expect'], isMeant: (key: string) => boolean): ResolvedStep['expect'] {
  return Object.fromEntries(Object.entries(expect).filter(([key]) => isMeant(key)))
}

function underWay(load: string, trouble: string | undefined): CheckResult {
  return {
    name: `${load} running`,
    ok: trouble === undefined,
    expected: 'requests that are sent',
    observed: trouble === undefined ? 'they are' : `the sender ended: ${trouble}`,
  }
}
