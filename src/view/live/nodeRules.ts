import { createHash } from 'node:crypto'
import { fieldName, type Meaning } from '../../agents/meaning.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { canonicalNftRule } from '../../netfilter/nft/statements.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { nftTableName, type NftRuleset } from '../../snapshot/model/nft.js'
import type { RuleTables } from '../../snapshot/model/state.js'
import type { Hook } from '../../trace/model/steps.js'
import type { LiveChain } from './api.js'

/** The chains of iptables, with the packets that each rule has counted, by table and chain; without counters, of a plan. */
export function iptablesChains(
  tables: RuleTables,
  counted: (table: string, chain: string) => readonly (number | undefined)[] = () => [],
): LiveChain[] {
  return [...tables].flatMap(([table, chains]) =>
    [...chains].map(([chain, { policy, rules }]): LiveChain => {
      const idOf = identifier(table, chain)
      const packets = counted(table, chain)
      return {
        ...{ table, chain, hook: builtInHooks[chain], policy },
        rules: rules.map((one, index) => ({
          ...{ id: idOf(canonicalRule(one.rule)), text: one.spec, packets: packets[index] },
          ...meaningOf(one),
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
            ...{ id: idOf(canonicalNftRule(rule.spec)), text: rule.spec },
            ...meaningOf(rule),
          })),
        }
      })
    })
}

function meaningOf({ owner, why, object }: Meaning) {
  return { explanation: why, object: object && fieldName(object), owner, isOff: false }
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
