import type { IpFamily } from '../../../net/ipFamily.js'
import type { SavedTable } from '../../../netfilter/save.js'
import { savedSpec } from '../iptables/savedRule.js'
import type { UserspaceJump, UserspaceRule, UserspaceRules } from './types.js'

/** Whether a rule is among those that iptables-save printed. */
function exists(saved: readonly SavedTable[], table: string, rule: UserspaceRule, family: IpFamily): boolean {
  const spec = savedSpec(rule, family)
  const rules = saved.find((one) => one.table === table)?.rules ?? []
  return rules.some((one) => one.chain === rule.chain && one.spec === spec)
}

/** The missing jumps; mirrors the checks at the start of a sync. */
export function missingJumps(
  saved: readonly SavedTable[],
  { jumps }: UserspaceRules,
  family: IpFamily,
): readonly UserspaceJump[] {
  return jumps.filter((jump) => !exists(saved, jump.table, jump, family))
}

/** Whether every rule and every jump exists. */
export function allExist(saved: readonly SavedTable[], rules: UserspaceRules, family: IpFamily): boolean {
  const specs = new Set(
    saved.flatMap(({ table, rules: own }) => own.map(({ chain, spec }) => `${table} ${chain} ${spec}`)),
  )
  return (['nat', 'filter'] as const).every((table) =>
    [...rules.jumps.filter((jump) => jump.table === table), ...rules[table]].every((rule) =>
      specs.has(`${table} ${rule.chain} ${savedSpec(rule, family)}`),
    ),
  )
}
