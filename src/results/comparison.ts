import type { StepResult, LabReport } from './events.js'
import { labFailed, labPassed, stepFailed } from './verdict.js'

/** A lab in one mode of kube-proxy. */
export interface ModeReport {
  readonly mode: string
  readonly report: LabReport
}

/**
 * What became of a check in one mode: `left out` says that it is about other modes, `not judged` that its step, or the
 * lab, did not get so far.
 */
export type Outcome = 'passed' | 'failed' | 'left out' | 'not judged'

/** A check with its outcomes, in the order of the modes. */
export interface ComparedCheck {
  readonly name: string
  readonly outcomes: readonly Outcome[]
}

/** A step with its outcomes as a whole, and its checks; one that only acts has none. */
export interface ComparedStep extends ComparedCheck {
  readonly checks: readonly ComparedCheck[]
}

/** A lab in several modes of kube-proxy, check by check. */
export interface Comparison {
  readonly lab: string
  /** How `vethlab run` is told of the lab. */
  readonly asked: string
  readonly title: string
  /** True when the lab was run in some mode, and passed in each in which it was run. */
  readonly ok: boolean
  readonly modes: readonly ModeReport[]
  readonly steps: readonly ComparedStep[]
}

/** Puts the reports of one lab beside each other; steps and checks are the same where they have the same name. */
export function compare(lab: string, asked: string, modes: readonly ModeReport[]): Comparison {
  const reports = modes.map(({ report }) => report)
  const steps = beside(reports.map(({ steps }) => steps)).map(({ name, each }): ComparedStep => {
    const ends = each.map((step, index) => stepOutcome(step, reports[index]))
    const checks = beside(each.map((step) => pointsOf(step)))
    return {
      name,
      outcomes: ends,
      checks: checks.map((check) => ({
        name: check.name,
        outcomes: check.each.map((one, index) => outcomeOfCheck(one?.ok, ends[index] ?? 'not judged')),
      })),
    }
  })
  return {
    lab,
    asked,
    title: reports.find(({ title }) => title !== '')?.title ?? '',
    ok: reports.some(labPassed) && !reports.some(labFailed),
    modes,
    steps,
  }
}

/** A check, or in place of one that the step was carried out. */
interface Point {
  readonly name: string
  readonly ok: boolean
}

function pointsOf(step: StepResult | undefined): readonly Point[] {
  if (step === undefined) return []
  const explained = step.checks.some(({ ok }) => !ok)
  return stepFailed(step) && !explained ? [...step.checks, { name: 'carried out', ok: false }] : step.checks
}

function stepOutcome(step: StepResult | undefined, report: LabReport | undefined): Outcome {
  if (step === undefined) return report?.skipped === undefined ? 'not judged' : 'left out'
  if (step.skipped !== undefined) return 'left out'
  return stepFailed(step) ? 'failed' : 'passed'
}

/** What a step that held does not judge in a mode was left out of it; where it failed, one cannot tell. */
function outcomeOfCheck(ok: boolean | undefined, step: Outcome): Outcome {
  if (ok !== undefined) return ok ? 'passed' : 'failed'
  return step === 'failed' || step === 'not judged' ? 'not judged' : 'left out'
}

interface Named {
  readonly name: string
}

/** The things of several lists that share a name, in an order that keeps each list's own. */
function beside<Thing extends Named>(
  lists: readonly (readonly Thing[])[],
): { readonly name: string; readonly each: readonly (Thing | undefined)[] }[] {
  const keyed = lists.map(withKeys)
  const order: string[] = []
  for (const list of keyed) {
    let at = 0
    for (const key of list.keys()) {
      const known = order.indexOf(key)
      if (known < 0) order.splice(at, 0, key)
      at = (known < 0 ? at : known) + 1
    }
  }
  return order.map((key) => {
    const each = keyed.map((list) => list.get(key))
    return { name: each.find((one) => one !== undefined)?.name ?? '', each }
  })
}

/** By name, and for a name that comes again by its turn. */
function withKeys<Thing extends Named>(list: readonly Thing[]): Map<string, Thing> {
  const turns = new Map<string, number>()
  return new Map(
    list.map((one) => {
      const turn = (turns.get(one.name) ?? 0) + 1
      turns.set(one.name, turn)
      return [`${one.name} ${turn}`, one]
    }),
  )
}
