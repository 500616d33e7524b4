import { isKnownError } from '../../errors.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { StepResult } from '../../results/events.js'
import type { Verdict } from '../../results/mutations.js'
import { stepFailed } from '../../results/verdict.js'
import { modeOnNodes } from '../plan/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { runSteps } from '../steps/runSteps.js'
import type { StartOptions } from '../up/startOptions.js'
import type { RunningLab } from '../up/runningLab.js'
import { withRunningLab } from '../up/withRunningLab.js'
import type { MetRule } from './catalogue.js'
import { patienceSeconds, verdictOf, type TryOptions } from './tryWithout.js'

/** Rules for which one lab is asked; the more there are, the less its coming up costs each, and the longer it takes. */
export const rulesInPlace = 16

/** So many labs are begun anew because a request without a rule left something behind. */
const mostRuns = 4

/** What a request without a rule left behind makes others fail: in this turn nothing is to be tried. */
class Spoilt extends Error {
  readonly turn: number
  constructor(turn: number) {
    super(`turn ${turn}`)
    this.turn = turn
  }
}

/**
 * Runs a lab, and makes each request in which a rule did something again without this rule, which is back before anything
 * else happens. A rule is caught when the request passes before, fails without it, and passes with it again. What is not
 * in the answer was not missed so, or nobody could look: whole runs have to tell.
 */
export async function tryInPlace(
  prepared: PreparedLab,
  rules: readonly MetRule[],
  { limitMs, ...options }: TryOptions,
): Promise<ReadonlyMap<MetRule, Verdict>> {
  const limit = AbortSignal.timeout(limitMs)
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
  const verdicts = new Map<MetRule, Verdict>()
  const avoided = new Set<number>()
  for (let run = 0; run < mostRuns; run++) {
    const toTry = (turn: number) =>
      avoided.has(turn) ? [] : rules.filter((rule) => rule.metIn.includes(turn) && !verdicts.has(rule))
    if (!rules.some(({ metIn }) => metIn.some((turn) => toTry(turn).length > 0))) break
    try {
      await lookAtEach(prepared, toTry, verdicts, { ...options, signal, patienceSeconds })
      break
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof Spoilt && !limit.aborted) avoided.add(error.turn)
      else if (limit.aborted || (isKnownError(error) && error.exitCode === 1)) break
      else throw error
    }
  }
  return verdicts
}

async function lookAtEach(
  prepared: PreparedLab,
  toTry: (turn: number) => readonly MetRule[],
  verdicts: Map<MetRule, Verdict>,
  options: StartOptions,
): Promise<void> {
  let turn = 0
  let lastTried = 0
  let failed = false
  await withRunningLab(prepared, options, (running) =>
    runSteps(running, {
      before() {
        turn++
        return failed ? Promise.reject(new Spoilt(lastTried)) : Promise.resolve()
      },
      after: (result) => (failed = stepFailed(result)),
      async again(_, repeat) {
        // packets of a request before, without a rule, may still be on their way
        if (failed) failed = stepFailed(await repeat())
        if (failed) return
        for (const rule of toTry(turn)) {
          lastTried = turn
          const { missed, spoilt } = await without(running, rule, repeat)
          if (spoilt) throw new Spoilt(turn)
          if (missed !== undefined) verdicts.set(rule, verdictOf(missed))
        }
      },
    }),
  )
}

interface Without {
  /** What became of the request, where it failed for want of the rule. */
  readonly missed?: StepResult
  /** True when it is not as it was, with the rule back. */
  readonly spoilt: boolean
}

async function without(
  { prepared, sandbox, machine, live }: RunningLab,
  rule: MetRule,
  repeat: () => Promise<StepResult>,
): Promise<Without> {
  const netns = live.state().topology.nodes.find(({ name }) => name === rule.node)?.netns
  if (netns === undefined) return { spoilt: false }
  const { name } = modeOnNodes(prepared.kubeProxy)
  const taken = await liveModeOf(name).takeRuleAway(sandbox, machine.iptables, netns, rule)
  if (taken === undefined) return { spoilt: false }
  const result = await repeat()
  if (!(await taken.putBack())) return { spoilt: true }
  if (!stepFailed(result)) return { spoilt: false }
  if (!stepFailed(await repeat())) return { missed: result, spoilt: false }
  // it passes again after a while, or never: that it failed may have another reason
  return { spoilt: stepFailed(await repeat()) }
}
