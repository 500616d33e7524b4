import { createHash } from 'node:crypto'
import type { IpFamily } from '../../net/ipFamily.js'
import { canonicalNftRule } from '../../netfilter/nft/statements.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import type { SavedTable } from '../../netfilter/save.js'
import { nftTableName, type NftRuleset } from '../../snapshot/model/nft.js'
import type { RuleTables, TracedRule } from '../../snapshot/model/state.js'
import type { Hook } from '../../trace/model/steps.js'
import { nftOwner, ruleOwner } from '../../trace/rules/ruleOwner.js'
import type { LiveChain, LiveRule } from './api.js'

/** The chains of iptables of a node, from saved tables; what rules mean comes from the plan, where it has the same ones. */
export function iptablesChains(saved: readonly SavedTable[], planned: RuleTables | undefined): LiveChain[] {
  return saved.flatMap(({ table, chains, rules }) =>
    chains.map(({ name, policy }): LiveChain => {
      const known = new Map(
        planned
          ?.get(table)
          ?.get(name)
          ?.rules.map((one) => [canonicalRule(one.rule), one] as const),
      )
      const idOf = identifier(table, name)
      const own = rules.filter(({ chain }) => chain === name)
      return {
        ...{ table, chain: name, hook: builtInHooks[name] },
        policy: policy === '-' ? undefined : policy,
        rules: own.map(({ spec, packets }) => {
          const rule = parseRule(spec)
          const canonical = canonicalRule(rule)
          const traced = known.get(canonical) ?? { rule, spec }
          return { ...iptablesRule(name, traced), id: idOf(canonical), text: spec, packets }
        }),
      }
    }),
  )
}

/** The same chains as the plan has them: no kernel has them. */
export function plannedChains(planned: RuleTables): LiveChain[] {
  return [...planned].flatMap(([table, chains]) =>
    [...chains].map(([name, { policy, rules }]): LiveChain => {
      const idOf = identifier(table, name)
      return {
        ...{ table, chain: name, hook: builtInHooks[name], policy },
        rules: rules.map((one) => ({
          ...iptablesRule(name, one),
          ...{ id: idOf(canonicalRule(one.rule)), text: one.spec },
        })),
      }
    }),
  )
}

/** The chains of native tables of nftables, of one family: those of `inet` too. */
export function nftChains({ tables }: NftRuleset, family: IpFamily): LiveChain[] {
  const wanted = ['inet', family === 'IPv4' ? 'ip' : 'ip6']
  return tables
    .filter((table) => wanted.includes(table.family))
    .flatMap((table) => {
      const name = nftTableName(table)
      return [...table.chains].map(([chain, { hook, rules }]): LiveChain => {
        const idOf = identifier(name, chain)
        return {
          ...{ table: name, chain, hook: hook?.hook as Hook | undefined, policy: hook?.policy },
          rules: rules.map((rule) => ({
            ...{ id: idOf(canonicalNftRule(rule.spec)), text: rule.spec, isOff: false },
            ...{ explanation: rule.why, object: rule.servicePort, owner: nftOwner(name, rule) },
          })),
        }
      })
    })
}

function iptablesRule(chain: string, rule: TracedRule): Omit<LiveRule, 'id' | 'text'> {
  const { why, servicePort, planned } = rule
  const owner = ruleOwner(chain, rule) ?? (planned === true ? 'CNI plugin' : undefined)
  return { explanation: why, object: servicePort, owner, isOff: false }
}

const hooks: readonly (Hook | undefined)[] = ['prerouting', 'input', 'forward', 'output', 'postrouting']
const tableOrder = ['raw', 'mangle', 'nat', 'filter']
const builtInHooks: Readonly<Record<string, Hook>> = {
  PREROUTING: 'prerouting',
  INPUT: 'input',
  FORWARD: 'forward',
  OUTPUT: 'output',
  POSTROUTING: 'postrouting',
}

/** Base chains in the order of the hooks, and of the tables of iptables at each; then the others. */
export function inOrderOfHooks(chains: readonly LiveChain[]): LiveChain[] {
  const place = ({ hook, table }: LiveChain) => [
    hook === undefined ? hooks.length : hooks.indexOf(hook),
    tableOrder.includes(table) ? tableOrder.indexOf(table) : tableOrder.length,
  ]
  return chains.toSorted((a, b) => {
    const [[hookOfA = 0, tableOfA = 0], [hookOfB = 0, tableOfB = 0]] = [place(a), place(b)]
    return hookOfA - hookOfB || tableOfA - tableOfB
  })
}

/** Ids of the rules of a chain; equal rules are counted. */
function identifier(table: string, chain: string): (rule: string) => string {
  const seen = new Map<string, number>()
  return (rule) => {
    const number = (seen.get(rule) ?? 0) + 1
    seen.set(rule, number)
    return createHash('sha256').update([table, chain, rule, number].join('\0')).digest('hex').slice(0, 16)
  }
}
