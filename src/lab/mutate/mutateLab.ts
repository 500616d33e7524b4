import { fieldName } from '../../agents/meaning.js'
import { isKnownError } from '../../errors.js'
import { mutationOk, type LabMutations, type Verdict, type Mutation } from '../../results/mutations.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { defaultMode } from '../../agents/kubeProxy/modes.js'
import type { Lab } from '../types.js'
import type { StartOptions } from '../up/startOptions.js'
import type { CataloguedRule } from '../../agents/kubeProxy/cataloguedRule.js'
import type { MetRule } from './catalogue.js'
import { meetRules } from './meetRules.js'
import { isLike } from './ruleGlob.js'
import { sampleRules } from './sampleRules.js'
import { idlePatterns, uncoveredIn } from './uncovered.js'
import { rulesInPlace, tryInPlace } from './tryInPlace.js'
import { tryWithout } from './tryWithout.js'

export interface MutateOptions extends Omit<StartOptions, 'withheld' | 'patienceSeconds' | 'sandbox'> {
  /** Only rules like this pattern; see `isLike`. */
  readonly rule?: string | undefined
  /** Only rules that checks of the lab have to cover. */
  readonly covered?: boolean | undefined
  /** Calls `work` when one more sandbox may start. */
  readonly withRoom: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** A rule without which nothing failed is tried again: some effects depend on a random choice. */
const tries = 3

/** The shortest time after which a run without a rule is stopped as hung; a busy host is no reason. */
const shortestLimitMs = 600_000

/** Longer than a rule takes in place: one request that times out, and one that does not. */
const msInPlace = 3000

/**
 * Runs a lab once as it is, and then without each rule of kube-proxy and of policies that packets met, one at a time: first in a running lab,
 * and if no request fails there, in its own lab. Throws what `startLab` does; the result of a lab that already fails, or
 * has no rules of kube-proxy, contains the reason.
 */
export async function mutateLab(prepared: PreparedLab, options: MutateOptions): Promise<LabMutations> {
  const { lab, kubeProxy } = prepared
  const { name, title } = lab
  let spent = 0
  const result = (rest: Partial<LabMutations>): LabMutations => ({
    ...{ lab: name, title, ok: false, mutations: [], notMet: 0, idle: [] },
    ...{ durationMs: spent, ...rest },
  })
  const mode = modeOnNodes(kubeProxy)
  const unwritten = whyNoRules(prepared)
  if (unwritten !== undefined) return result({ skipped: unwritten })
  const { rule: glob, covered = false, withRoom, ...starting } = options
  const inRoom = <Result>(work: () => Promise<Result>) =>
    withRoom(async () => {
      const start = performance.now()
      try {
        return await work()
      } finally {
        spent += performance.now() - start
      }
    })
  const seen = await inRoom(() => meetRules(prepared, starting)).catch((error: unknown) => {
    starting.signal?.throwIfAborted()
    // the error of a tool concerns only this lab
    if (!isKnownError(error) || error.exitCode !== 1) throw error
    return error
  })
  if (seen instanceof Error) return result({ error: seen.message })
  const { met, notMet, failed, durationMs } = seen
  if (failed !== undefined) return result({ error: `it fails with all its rules: ${failed}` })
  const wanted = (rule: CataloguedRule) =>
    (glob === undefined || isLike(rule, glob)) && (!covered || uncoveredIn(prepared.lab, rule) === undefined)
  const rules = sampleRules(met.filter(wanted))
  const limitMs = Math.round(shortestLimitMs + 4 * durationMs)
  const inPlace = new Map<CataloguedRule, Verdict>()
  const lookInPlace = async (some: readonly MetRule[]) => {
    const trying = { ...starting, limitMs: limitMs + some.length * msInPlace }
    for (const [rule, verdict] of await inRoom(() => tryInPlace(prepared, some, trying)))
      inPlace.set(rule, verdict)
  }
  await Promise.all(portions(rules.map(({ rule }) => rule)).map(lookInPlace))
  const evaluated = rules.map(async ({ rule, alike }): Promise<EvaluatedRule> => {
    const uncovered = uncoveredIn(prepared.lab, rule)
    let verdict: Verdict = inPlace.get(rule) ?? { kind: 'not caught' }
    for (let left = uncovered === undefined ? tries : 1; left > 0 && verdict.kind === 'not caught'; left--)
      verdict = await inRoom(() => tryWithout(prepared, rule, { ...starting, limitMs }))
    // a rule that is caught needs no built-in reason
    const reason = verdict.kind === 'caught' && uncovered?.listed === false ? undefined : uncovered?.why
    return { rule, alike, verdict, uncovered: reason }
  })
  const mutations = groupRules(await Promise.all(evaluated))
  return result({
    ok: mutations.every(mutationOk),
    mutations,
    notMet: notMet.filter(wanted).length,
    idle: glob === undefined && isAbout(mode, lab) ? idlePatterns(lab, met, mode) : [],
  })
}

/** Parts of about the same size, each for one lab. */
function portions(rules: readonly MetRule[]): MetRule[][] {
  const count = Math.ceil(rules.length / rulesInPlace)
  return Array.from({ length: count }, (_, part) => rules.filter((_, index) => index % count === part))
}

/** A lab lists rules of its own mode, and those of nftables. */
function isAbout({ name, ownTable }: ProxyMode, { proxy }: Lab): boolean {
  return ownTable !== undefined || (proxy.mode ?? defaultMode.name) === name
}

function whyNoRules({ kubeProxy }: PreparedLab): string | undefined {
  if (kubeProxy.kind === 'none') return 'its nodes have no kube-proxy: so there is no rule to remove'
  if (kubeProxy.kind === 'binary') return 'it runs a custom kube-proxy: its rules cannot be withheld'
  const { catalogue, name } = kubeProxy.mode
  return catalogue === undefined ? `rules of mode ${name} cannot be removed one at a time` : undefined
}

/** A rule of one node with the result of the lab without it. */
interface EvaluatedRule {
  readonly rule: CataloguedRule
  /** How many rules it represents; see `sampleRules`. */
  readonly alike: number
  readonly verdict: Verdict
  readonly uncovered: string | undefined
}

/** Groups equal rules of several nodes if their verdicts are of one kind; reports the check of the first. */
function groupRules(evaluated: readonly EvaluatedRule[]): Mutation[] {
  const groups = new Map<string, Mutation>()
  for (const { rule, alike, verdict, uncovered } of evaluated) {
    const { family, table, chain, spec, why, object, node } = rule
    const key = [family, table, chain, verdict.kind, spec].join(' ')
    const isService = object?.kind === 'Service'
    const owner =
      object &&
      (isService ? { servicePort: fieldName(object) } : { object: `${object.kind} ${fieldName(object)}` })
    const known = groups.get(key)
    const nodes = [...(known?.nodes ?? []), node]
    groups.set(
      key,
      known === undefined
        ? { family, table, chain, spec, why, ...owner, nodes, alike, verdict, uncovered }
        : { ...known, nodes },
    )
  }
  return [...groups.values()]
}
