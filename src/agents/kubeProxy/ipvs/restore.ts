import type { IpFamily } from '../../../net/ipFamily.js'
import { lockWait } from '../../../netfilter/lockWait.js'
import { restoreRule } from '../iptables/restoreRule.js'
import type { IpvsState } from './types.js'

/**
 * Input of `iptables-restore --noflush --counters` that produces the state after a sync of kube-proxy in
 * IPVS mode in an empty namespace. It includes the jumps, which kube-proxy adds by single commands: load it only once.
 * The ipsets must exist.
 */
export function ipvsRestore(state: IpvsState): string {
  const lines = (['nat', 'filter'] as const).flatMap((table) => [
    `*${table}`,
    ...state[table].chains.map((chain) => `:${chain} - [0:0]`),
    ...state.jumps.filter((jump) => jump.table === table).map((jump) => restoreRule(jump, '-I')),
    ...state[table].rules.map((rule) => restoreRule(rule, '-A')),
    'COMMIT',
  ])
  return `${lines.join('\n')}\n`
}

/** The command that loads rules of one family. */
export function restoreCommand(family: IpFamily): [program: string, ...options: string[]] {
  const program = family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore'
  return [program, ...lockWait, '--noflush', '--counters']
}
