import { isKnownError } from '../../errors.js'
import { mutationOk, type LabMutations, type Verdict } from '../../results/mutations.js'
import { modeOnNodes } from '../plan/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { ProxyMode } from '../../proxy/mode.js'
import { defaultMode } from '../../proxy/modes.js'
import type { Lab } from '../types.js'
import type { StartOptions } from '../up/startOptions.js'
import type { CataloguedRule } from '../../proxy/cataloguedRule.js'
import type { MetRule } from './catalogue.js'
import { groupRules, type JudgedRule } from './groupRules.js'
import { meetRules } from './meetRules.js'
import { isLike } from './ruleGlob.js'
import { sampleRules } from './sampleRules.js'
import { idlePatterns, unclaimedIn } from './unclaimed.js'
import { rulesInPlace, tryInPlace } from './tryInPlace.js'
import { tryWithout } from './tryWithout.js'

export interface MutateOptions extends Omit<StartOptions, 'withheld' | 'patienceSeconds' | 'sandbox'> {
  /** Only rules like this pattern; see `isLike`. */
  readonly rule?: string | undefined
  /** Also rules that no packet meets. */
  readonly allRules?: boolean | undefined
  /** Also all of many rules that are alike but for the endpoint; see `sampleRules`. */
  readonly everyEndpoint?: boolean | undefined
  /** Only rules about which the lab claims something. */
  readonly claimed?: boolean | undefined
  /** Runs a piece of work when there is room for one more sandbox. */
  readonly withRoom: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** A rule is looked at again where nothing failed without it: some are missed by chance alone. */
const tries = 3

/** Longer than a rule takes in place: a request that waits in vain, and one that does not. */
const msInPlace = 3000

/**
 * Runs a lab once as it is, and then without each rule of kube-proxy's that packets met, one at a time: first where it
 * stands, and what no request misses there in a lab of its own. Throws what
 * `startLab` does; a lab that fails as it is, or has no rules of kube-proxy's, says so in the result.
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
  const {
    rule: glob,
    allRules = false,
    everyEndpoint = false,
    claimed = false,
    withRoom,
    ...starting
  } = options
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
    // a tool that died is this lab's trouble, and not that of others
    if (!isKnownError(error) || error.exitCode !== 1) throw error
    return error
  })
  if (seen instanceof Error) return result({ error: seen.message })
  const { met, notMet, failed, durationMs } = seen
  if (failed !== undefined) return result({ error: `it fails as it is: ${failed}` })
  const wanted = (rule: CataloguedRule) =>
    (glob === undefined || isLike(rule, glob)) && (!claimed || unclaimedIn(prepared.lab, rule) === undefined)
  const candidates = [...met, ...(allRules ? notMet : [])].filter(wanted)
  const rules = everyEndpoint ? candidates.map((rule) => ({ rule, alike: 1 })) : sampleRules(candidates)
  const limitMs = Math.round(10_000 + 4 * durationMs)
  const inPlace = new Map<CataloguedRule, Verdict>()
  const lookInPlace = async (some: readonly MetRule[]) => {
    const trying = { ...starting, limitMs: limitMs + some.length * msInPlace }
    for (const [rule, verdict] of await inRoom(() => tryInPlace(prepared, some, trying)))
      inPlace.set(rule, verdict)
  }
  await Promise.all(portions(rules.map(({ rule }) => rule).filter(isMet)).map(lookInPlace))
  const judged = rules.map(async ({ rule, alike }): Promise<JudgedRule> => {
    const unclaimed = unclaimedIn(prepared.lab, rule)
    let verdict: Verdict = inPlace.get(rule) ?? { kind: 'not caught' }
    for (let left = unclaimed === undefined ? tries : 1; left > 0 && verdict.kind === 'not caught'; left--)
      verdict = await inRoom(() => tryWithout(prepared, rule, { ...starting, limitMs }))
    // what fails in spite of what we say of every lab needs no word
    const told = verdict.kind === 'caught' && unclaimed?.listed === false ? undefined : unclaimed?.why
    return { rule, alike, verdict, unclaimed: told }
  })
  const mutations = groupRules(await Promise.all(judged))
  return result({
    ok: mutations.every(mutationOk),
    mutations,
    notMet: notMet.filter(wanted).length,
    idle: glob === undefined && speaksOf(mode, lab) ? idlePatterns(lab, met, mode) : [],
  })
}

function isMet(rule: CataloguedRule | MetRule): rule is MetRule {
  return 'metIn' in rule
}

/** Parts of about the same size, each for one lab. */
function portions(rules: readonly MetRule[]): MetRule[][] {
  const count = Math.ceil(rules.length / rulesInPlace)
  return Array.from({ length: count }, (_, part) => rules.filter((_, index) => index % count === part))
}

/** A lab speaks of the rules of its own mode, and of those in a table of their own. */
function speaksOf({ name, ownTable }: ProxyMode, { proxy }: Lab): boolean {
  return ownTable !== undefined || (proxy.mode ?? defaultMode.name) === name
}

function whyNoRules({ kubeProxy }: PreparedLab): string | undefined {
  if (kubeProxy.kind === 'none') return 'its nodes have no kube-proxy: there is no rule of it to take away'
  if (kubeProxy.kind === 'binary') return 'its kube-proxy is one of its own: no rule can be kept from it'
  const { catalogue, name } = kubeProxy.mode
  return catalogue === undefined ? `rules of mode ${name} cannot be taken away one at a time` : undefined
}
