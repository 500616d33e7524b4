import { isKnownError } from '../../errors.js'
import type { WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import type { StepResult } from '../../results/events.js'
import type { Verdict } from '../../results/mutations.js'
import { stepFailed } from '../../results/verdict.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { runSteps } from '../steps/runSteps.js'
import type { StartOptions } from '../up/startOptions.js'
import { withRunningLab } from '../up/withRunningLab.js'

/** Seconds that a request waits without a rule: a response in a lab takes milliseconds. */
export const patienceSeconds = 1

export interface TryOptions extends StartOptions {
  /** How long the run may take. */
  readonly limitMs: number
}

/** Runs a lab whose kube-proxies never write one rule, until the first check that fails. */
export async function tryWithout(
  prepared: PreparedLab,
  withheld: WithheldRule,
  { limitMs, ...options }: TryOptions,
): Promise<Verdict> {
  const limit = AbortSignal.timeout(limitMs)
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
  try {
    return await untilOneFails(prepared, { ...options, signal, withheld, patienceSeconds })
  } catch (error) {
    options.signal?.throwIfAborted()
    if (limit.aborted) return { kind: 'undecided', reason: `stopped after ${Math.round(limitMs / 1000)} s` }
    if (!isKnownError(error) || error.exitCode !== 1) throw error
    return { kind: 'caught', step: 'the lab', check: error.message.split('\n')[0] ?? error.message }
  }
}

async function untilOneFails(prepared: PreparedLab, options: StartOptions): Promise<Verdict> {
  const enough = new Error('a check has failed')
  let failed: StepResult | undefined
  try {
    await withRunningLab(prepared, options, (running) =>
      runSteps(running, {
        before: () => (failed === undefined ? Promise.resolve() : Promise.reject(enough)),
        after: (result) => {
          if (stepFailed(result)) failed = result
        },
      }),
    )
  } catch (error) {
    if (error !== enough) throw error
  }
  if (failed === undefined) options.signal?.throwIfAborted()
  return failed === undefined ? { kind: 'not caught' } : verdictOf(failed)
}

/** The verdict on the removed rule after a failed step. */
export function verdictOf(failed: StepResult): Verdict {
  const check = failed.checks.find(({ ok }) => !ok)
  return { kind: 'caught', step: failed.name, check: check?.name ?? failed.error ?? 'carried out' }
}
