import { restoreRule } from '../iptables/restoreRule.js'
import { userspaceChains } from './chains.js'
import type { UserspaceJump, UserspaceRule, UserspaceRules } from './types.js'

/**
 * Input of `iptables-restore --noflush` for the rules; kube-proxy itself adds each by a
 * separate command. The chains are rewritten; only the given jumps are added, by default all.
 */
export function userspaceRestore(
  rules: UserspaceRules,
  jumps: readonly UserspaceJump[] = rules.jumps,
): string {
  const lines = (['nat', 'filter'] as const).flatMap((table) => [
    `*${table}`,
    ...userspaceChains[table].map((chain) => `:${chain} - [0:0]`),
    ...jumps.filter((jump) => jump.table === table).map(jumpLine),
    ...rules[table].map(ruleLine),
    'COMMIT',
  ])
  return `${lines.join('\n')}\n`
}

/** Input that updates one set of rules to another, rule by rule; empty if they are the same. */
export function userspaceChanges(before: UserspaceRules, after: UserspaceRules): string {
  const lines = (['nat', 'filter'] as const).flatMap((table) => {
    const was = before[table].map(ruleLine)
    const is = after[table].map(ruleLine)
    const [old, now] = [new Set(was), new Set(is)]
    const changed = [
      ...was.filter((line) => !now.has(line)).map((line) => line.replace(/^-A/, '-D')),
      ...is.filter((line) => !old.has(line)),
    ]
    return changed.length === 0 ? [] : [`*${table}`, ...changed, 'COMMIT']
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** Every rule with its table, as a line for iptables-restore. */
export function writtenPortalRules(
  rules: UserspaceRules,
): readonly { readonly table: 'nat' | 'filter'; readonly rule: UserspaceRule; readonly line: string }[] {
  return [
    ...rules.jumps.map((jump) => ({ table: jump.table, rule: jump, line: jumpLine(jump) })),
    ...(['nat', 'filter'] as const).flatMap((table) =>
      rules[table].map((rule) => ({ table, rule, line: ruleLine(rule) })),
    ),
  ]
}

/** A jump as a line for iptables-restore. */
function jumpLine(jump: UserspaceJump): string {
  return restoreRule(jump, jump.at === 'top' ? '-I' : '-A')
}

function ruleLine(rule: UserspaceRule): string {
  return restoreRule(rule, '-A')
}
