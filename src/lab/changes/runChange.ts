import { InputError } from '../../errors.js'
import { readConntrack } from '../../host/readings.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import { needsOf } from '../steps/evaluate.js'
import type { LiveCluster } from '../live/types.js'
import { resolveExpectations } from '../names/resolveStep.js'
import { probedCells } from '../steps/probedCells.js'
import { startRulesAround } from '../steps/rulesAround.js'
import type { RunningLab } from '../up/runningLab.js'
import { evaluateIn, nothingSeen, stepResult, unresolved } from '../steps/stepResult.js'
import { contextNow, type BegunStep } from '../steps/stepRun.js'
import type { Observation } from '../observation.js'
import { changeText } from './changeText.js'
import type { ChangeAction, LabChange, WaitAction } from './types.js'
import { waitFor } from './waitFor.js'

/** Changes the lab, waits until it has settled if that is requested, and evaluates the step. */
export async function runChange(begun: BegunStep, action: ChangeAction): Promise<StepResult> {
  const { running, step } = begun
  return runAround(begun, action, async () => {
    const made = await makeChanges(running, action.changes)
    if ('rejection' in made) return rejectedChecks(made.rejection, 'rejected' in step.expect)
    const settled = action.settleSeconds === false ? [] : [await settle(running, action.settleSeconds)]
    return { checks: [...acceptedChecks(made.said), ...settled] }
  })
}

/** Waits for a condition, and then evaluates the step. */
export async function runWait(begun: BegunStep, action: WaitAction): Promise<StepResult> {
  return runAround(begun, action, async () => ({ checks: [await waitFor(begun.running.live, action)] }))
}

interface Done {
  readonly checks: readonly CheckResult[]
  readonly rejection?: string | undefined
}

/** Records what the expectations need before and after the step; their names are resolved after it. */
async function runAround(
  begun: BegunStep,
  action: ChangeAction | WaitAction,
  act: () => Promise<Done>,
): Promise<StepResult> {
  const { running, step: begunStep, startedAt } = begun
  const needs = needsOf(begunStep)
  const rulesAround = needs.rules === true ? await startRulesAround(running) : undefined
  const { checks, rejection } = await act()
  running.disturbed()
  const { value: step, problems } = resolveExpectations(begunStep, contextNow(running))
  const report = { action: changeText(action), startedAt }
  if (problems.length > 0) return stepResult(step, report, [...checks, ...unresolved(problems)])
  const [rules, conntrack] = await Promise.all([
    rulesAround?.(),
    needs.conntrack === true ? readTables(running) : nothingSeen.conntrack,
  ])
  const connectivity = await probedCells(begun, step)
  const state = running.live.state()
  const seen: Observation = {
    ...{ ...nothingSeen, conntrack, rules, connectivity },
    ...{ cluster: state.cluster, rejection },
  }
  return stepResult(step, report, [...checks, ...evaluateIn(running.prepared, state, step, seen)])
}

/** Stops at the first rejected change; the earlier ones stay. */
async function makeChanges(
  { live }: RunningLab,
  changes: readonly LabChange[],
): Promise<{ readonly said: readonly string[] } | { readonly rejection: string }> {
  const said: string[] = []
  for (const change of changes) {
    try {
      said.push(...(await makeOne(live, change)))
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return { rejection: error.problems.map(({ message }) => message).join('; ') }
    }
  }
  return { said }
}

async function makeOne(live: LiveCluster, change: LabChange): Promise<readonly string[]> {
  if (change.of === 'cluster') return (await live.write(change.writes)).said
  if (change.of === 'node') {
    await live.setNode(change.node, change.state)
    return [`node/${change.node} ${change.state}`]
  }
  await live.restartKubeProxy(change.node)
  return [`kube-proxy on ${change.node} restarted`]
}

function rejectedChecks(rejection: string, isExpected: boolean): Done {
  if (isExpected) return { checks: [], rejection }
  const check = { name: 'accepted', ok: false, expected: 'the change is made', observed: rejection }
  return { checks: [check], rejection }
}

/** One passed check for each line that kubectl would print. */
function acceptedChecks(said: readonly string[]): CheckResult[] {
  return said.map((line) => ({ name: line, ok: true, expected: 'the change is made', observed: line }))
}

/** Rejects with CannotRunError if a tool hangs. */
async function settle({ live, sandbox }: RunningLab, seconds: number): Promise<CheckResult> {
  const broken = sandbox.cannotRun()
  if (broken !== undefined) throw broken
  const left = await live.settled(seconds * 1000)
  return {
    name: 'settled',
    ok: left.length === 0,
    expected: `the lab settles within ${seconds} s`,
    observed: left.length === 0 ? 'it has settled' : left.join('; '),
  }
}

async function readTables({
  sandbox,
  prepared: { topology },
}: RunningLab): Promise<Observation['conntrack']> {
  const read = (netns: string) => readConntrack(sandbox, netns, topology.families, undefined)
  return new Map(
    await Promise.all(topology.nodes.map(async ({ netns }) => [netns, await read(netns)] as const)),
  )
}
