import { isKnownError } from '../../errors.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { StepResult } from '../../results/events.js'
import type { Verdict } from '../../results/mutations.js'
import { stepFailed } from '../../results/verdict.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { runSteps } from '../steps/runSteps.js'
import type { StartOptions } from '../up/startOptions.js'
import type { RunningLab } from '../up/runningLab.js'
import { withRunningLab } from '../up/withRunningLab.js'
import type { MetRule } from './catalogue.js'
import { patienceSeconds, verdictOf, type TryOptions } from './tryWithout.js'

/** Rules that one lab tries: with more rules, fewer labs are started, and each runs longer. */
export const rulesInPlace = 16

/** How many labs are started at most, because a request without a rule can change the lab. */
const mostRuns = 4

/** A request without a rule changed the lab, so that other requests fail: no rule is tried in this turn again. */
class BrokenLab extends Error {
  readonly turn: number
  constructor(turn: number) {
    super(`turn ${turn}`)
    this.turn = turn
  }
}

/**
 * Runs a lab, and repeats each request in which a rule had an effect without this rule, which is put back before anything
 * else happens. A rule is caught when the request passes before, fails without it, and passes with it again. Rules that
 * are missing in the result were not caught or not tried: they need whole runs.
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
      if (error instanceof BrokenLab && !limit.aborted) avoided.add(error.turn)
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
        return failed ? Promise.reject(new BrokenLab(lastTried)) : Promise.resolve()
      },
      after(result) {
        failed = stepFailed(result)
      },
      async again(_, repeat) {
        // packets of an earlier request, without a rule, may still be in transit
        if (failed) failed = stepFailed(await repeat())
        if (failed) return
        for (const rule of toTry(turn)) {
          lastTried = turn
          const { missed, broken } = await without(running, rule, repeat)
          if (broken) throw new BrokenLab(turn)
          if (missed !== undefined) verdicts.set(rule, verdictOf(missed))
        }
      },
    }),
  )
}

interface Without {
  /** The result of the request, if it failed because of the missing rule. */
  readonly missed?: StepResult
  /** True when the lab is not as before after the rule is put back. */
  readonly broken: boolean
}

async function without(
  { prepared, sandbox, machine, live }: RunningLab,
  rule: MetRule,
  repeat: () => Promise<StepResult>,
): Promise<Without> {
  const netns = live.state().topology.nodes.find(({ name }) => name === rule.node)?.netns
  if (netns === undefined) return { broken: false }
  const { name } = modeOnNodes(prepared.kubeProxy)
  const taken = await liveModeOf(name).takeRuleAway(sandbox, machine.iptables, netns, rule)
  if (taken === undefined) return { broken: false }
  const result = await repeat()
  if (!(await taken.putBack())) return { broken: true }
  if (!stepFailed(result)) return { broken: false }
  if (!stepFailed(await repeat())) return { missed: result, broken: false }
  // it passes later, or never: it may have failed for another reason
  return { broken: stepFailed(await repeat()) }
}
