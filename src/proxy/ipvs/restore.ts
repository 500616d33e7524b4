import type { IpFamily } from '../../net/ipFamily.js'
import { restoreRule } from '../iptables/restoreRule.js'
import type { IpvsState } from './types.js'

/**
 * The text for `iptables-restore --noflush --counters` that brings an empty namespace to what a sync of kube-proxy in
 * IPVS mode leaves there, with the jumps, which kube-proxy makes by single commands; loading it twice makes those twice.
 * The ipsets have to be there.
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

/** The program that loads rules of one family. */
export function restoreProgram(family: IpFamily): string {
  return family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore'
}
