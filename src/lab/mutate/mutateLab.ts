import { isKnownError } from '../../errors.js'
import { mutationFine, type LabMutations, type Verdict } from '../../reporters/mutationTypes.js'
import { hasKubeProxy } from '../planLab.js'
import type { PreparedLab } from '../prepareLab.js'
import type { StartOptions } from '../startLab.js'
import type { CataloguedRule, MetRule } from './catalogue.js'
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
  const { lab, config } = prepared
  const { name, title } = lab
  let spent = 0
  const result = (rest: Partial<LabMutations>): LabMutations => ({
    ...{ lab: name, title, ok: false, mutations: [], notMet: 0, idle: [] },
    ...{ durationMs: spent, ...rest },
  })
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
    ok: mutations.every(mutationFine),
    mutations,
    notMet: notMet.filter(wanted).length,
    idle: glob === undefined && speaksOfMode(prepared) ? idlePatterns(prepared.lab, met, config.mode) : [],
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

/** A lab speaks of the rules of its own mode, and of nftables. */
function speaksOfMode({ lab, config }: PreparedLab): boolean {
  return config.mode === 'nftables' || (lab.proxy.mode ?? 'iptables') === config.mode
}

function whyNoRules(prepared: PreparedLab): string | undefined {
  if (prepared.lab.kubeProxyBinary !== undefined)
    return 'its kube-proxy is one of its own: no rule can be kept from it'
  const { mode } = prepared.config
  if (mode === 'ipvs') return `rules of mode ${mode} cannot be taken away one at a time`
  if (!hasKubeProxy(prepared)) return 'its nodes have no kube-proxy: there is no rule of it to take away'
  return undefined
}
