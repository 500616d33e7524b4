import type { StepResult, LabReport } from './events.js'
import { labFailed, labPassed, stepFailed } from './verdict.js'

/** A lab in one mode of kube-proxy. */
export interface ModeReport {
  readonly mode: string
  readonly report: LabReport
}

/**
 * The outcome of a check in one mode: `left out` means that it does not apply in this mode, `not evaluated` that its step or
 * the lab failed before the check was evaluated.
 */
export type Outcome = 'passed' | 'failed' | 'left out' | 'not evaluated'

/** A check with its outcomes, in the order of the modes. */
export interface ComparedCheck {
  readonly name: string
  readonly outcomes: readonly Outcome[]
}

/** A step with its outcomes as a whole, and its checks; a step that only acts has none. */
export interface ComparedStep extends ComparedCheck {
  readonly checks: readonly ComparedCheck[]
}

/** A lab in several modes of kube-proxy, check by check. */
export interface Comparison {
  readonly lab: string
  /** The argument of `vethlab run` that names the lab. */
  readonly argument: string
  readonly title: string
  /** True when the lab ran in at least one mode, and passed in each mode in which it ran. */
  readonly ok: boolean
  readonly modes: readonly ModeReport[]
  readonly steps: readonly ComparedStep[]
}

/** Compares the reports of one lab; steps and checks are matched by name. */
export function compare(lab: string, argument: string, modes: readonly ModeReport[]): Comparison {
  const reports = modes.map(({ report }) => report)
  const steps = joinByName(reports.map(({ steps }) => steps)).map(({ name, each }): ComparedStep => {
    const ends = each.map((step, index) => stepOutcome(step, reports[index]))
    const checks = joinByName(each.map((step) => pointsOf(step)))
    return {
      name,
      outcomes: ends,
      checks: checks.map((check) => ({
        name: check.name,
        outcomes: check.each.map((one, index) => outcomeOfCheck(one?.ok, ends[index] ?? 'not evaluated')),
      })),
    }
  })
  return {
    lab,
    argument,
    title: reports.find(({ title }) => title !== '')?.title ?? '',
    ok: reports.some(labPassed) && !reports.some(labFailed),
    modes,
    steps,
  }
}

/** A check, or the fact that the step failed without a failed check. */
interface Point {
  readonly name: string
  readonly ok: boolean
}

function pointsOf(step: StepResult | undefined): readonly Point[] {
  if (step === undefined) return []
  const explained = step.checks.some(({ ok }) => !ok)
  return stepFailed(step) && !explained ? [...step.checks, { name: 'completes', ok: false }] : step.checks
}

function stepOutcome(step: StepResult | undefined, report: LabReport | undefined): Outcome {
  if (step === undefined) return report?.skipped === undefined ? 'not evaluated' : 'left out'
  if (step.skipped !== undefined) return 'left out'
  return stepFailed(step) ? 'failed' : 'passed'
}

/** A check that is missing from a step that passed does not apply in this mode; after a failure the reason is unknown. */
function outcomeOfCheck(ok: boolean | undefined, step: Outcome): Outcome {
  if (ok !== undefined) return ok ? 'passed' : 'failed'
  return step === 'failed' || step === 'not evaluated' ? 'not evaluated' : 'left out'
}

interface Named {
  readonly name: string
}

/** The items of several lists, joined by name, in an order that keeps the order of each list. */
function joinByName<Item extends Named>(
  lists: readonly (readonly Item[])[],
): { readonly name: string; readonly each: readonly (Item | undefined)[] }[] {
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

/** The items by name and, for a name that occurs several times, its number. */
function withKeys<Item extends Named>(list: readonly Item[]): Map<string, Item> {
  const counts = new Map<string, number>()
  return new Map(
    list.map((one) => {
      const number = (counts.get(one.name) ?? 0) + 1
      counts.set(one.name, number)
      return [`${one.name} ${number}`, one]
    }),
  )
}
