import type { TableName } from './baseRules.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'

/** The rules of one table in the order in which kube-proxy feeds them, without the jumps from built-in chains. */
export function tableRules({ filter, nat, servicePorts }: Ruleset, table: TableName): readonly Rule[] {
  switch (table) {
    case 'mangle':
      return []
    case 'filter':
      return [...filter.firewall, ...servicePorts.flatMap((port) => port.filter), ...filter.forward]
    case 'nat':
      return [
        ...nat.postrouting,
        ...nat.markMasq,
        ...servicePorts.flatMap((port) => [...port.nat, ...port.chains.flatMap((chain) => chain.rules)]),
        ...nat.nodePorts,
      ]
  }
}
