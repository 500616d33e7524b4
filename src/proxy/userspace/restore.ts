import { restoreRule } from '../iptables/restoreRule.js'
import { userspaceChains } from './chains.js'
import type { UserspaceRules } from './types.js'

/**
 * The text for `iptables-restore --noflush` that brings an empty namespace to the rules; kube-proxy itself makes each
 * by a command of its own. With `jumps: false` the jumps stand already: the chains are emptied and written anew.
 */
export function userspaceRestore(rules: UserspaceRules, { jumps }: { readonly jumps: boolean }): string {
  const lines = (['nat', 'filter'] as const).flatMap((table) => [
    `*${table}`,
    ...userspaceChains[table].map((chain) => `:${chain} - [0:0]`),
    ...(jumps ? rules.jumps : [])
      .filter((jump) => jump.table === table)
      .map((jump) => restoreRule(jump, jump.at === 'top' ? '-I' : '-A')),
    ...rules[table].map((rule) => restoreRule(rule, '-A')),
    'COMMIT',
  ])
  return `${lines.join('\n')}\n`
}
