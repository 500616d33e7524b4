import { parseRule } from '../../src/netfilter/rules/parse.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { TracedChain, TracedRule, TraceState } from '../../src/snapshot/model/state.js'

/**
 * Adds rules of iptables to a namespace of a state, before those that it has: lines of `iptables-save`, such as
 * `filter -A FORWARD -j DROP`. A chain that does not exist is created.
 */
export function withRules(place: string, lines: readonly string[], family: IpFamily = 'IPv4') {
  return (state: TraceState): TraceState => {
    const tables = new Map<string, Map<string, TracedChain>>(
      [...(state.rules.get(place)?.[family] ?? [])].map(([name, chains]) => [name, new Map(chains)]),
    )
    const added = new Map<string, TracedRule[]>()
    for (const line of lines) {
      const [table = '', , chain = '', ...words] = line.split(' ')
      const spec = words.join(' ')
      const rules = added.get(`${table} ${chain}`) ?? []
      added.set(`${table} ${chain}`, [...rules, { spec, rule: parseRule(spec) }])
    }
    for (const [key, rules] of added) {
      const [table = '', chain = ''] = key.split(' ')
      const own = tables.get(table) ?? new Map<string, TracedChain>()
      const before = own.get(chain) ?? {
        rules: [],
        ...(chain === chain.toUpperCase() && { policy: 'ACCEPT' }),
      }
      tables.set(table, own.set(chain, { ...before, rules: [...rules, ...before.rules] }))
    }
    const families = { ...state.rules.get(place), [family]: tables }
    return { ...state, rules: new Map(state.rules).set(place, families) }
  }
}
