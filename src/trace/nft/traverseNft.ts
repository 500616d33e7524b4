import {
  nftTableName,
  type NftRuleset,
  type NftTable,
  type NftTracedChain,
} from '../../snapshot/model/nft.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Hook } from '../model/steps.js'
import { deepest, type Traversal, type Verdict } from '../rules/traverse.js'
import { evaluateNftRule } from './evaluateRule.js'

/** A chain at a hook. */
export interface NftBaseChain {
  readonly table: NftTable
  readonly name: string
  readonly chain: NftTracedChain
  readonly priority: number
  readonly isNat: boolean
}

/**
 * The base chains that packets of a family pass at a hook, the oldest of each table first. Those of interfaces are before and
 * behind all others: ingress before prerouting, and egress behind postrouting.
 */
export function nftBaseChains({ tables }: NftRuleset, hook: Hook, family: IpFamily): NftBaseChain[] {
  const own = [family === 'IPv4' ? 'ip' : 'ip6', 'inet']
  return tables.flatMap((table) =>
    [...table.chains].flatMap(([name, chain]) => {
      if (chain.hook === undefined) return []
      const { hook: at, type, priority, devices } = chain.hook
      const order = devices === undefined ? (at === hook ? 0 : undefined) : orderAt[`${at} ${hook}`]
      const sees = own.includes(table.family) || (table.family === 'netdev' && devices !== undefined)
      if (order === undefined || !sees) return []
      return [{ table, name, chain, priority: priority + order, isNat: type === 'nat' }]
    }),
  )
}

const orderAt: Readonly<Record<string, number>> = { 'ingress prerouting': -1e9, 'egress postrouting': 1e9 }

/** Evaluates the rules of one base chain. */
export function traverseNft({ table, name, chain }: NftBaseChain, traversal: Traversal): Verdict {
  const { hook: at, in: incoming, out } = traversal.seen()
  const device = at === 'prerouting' ? incoming : out
  if (chain.hook?.devices?.includes(device ?? '') === false) return { kind: 'accept' }
  const verdict = traverseChain(table, name, chain, traversal, 0)
  if (verdict !== undefined) return verdict
  if (chain.hook?.policy !== 'drop') return { kind: 'accept' }
  const { hook } = traversal.seen()
  traversal.record({ kind: 'policy', hook, table: nftTableName(table), chain: name, policy: 'DROP' })
  return { kind: 'drop', chain: name }
}

/** Undefined if the chain returns. */
function traverseChain(
  table: NftTable,
  name: string,
  { rules }: NftTracedChain,
  traversal: Traversal,
  depth: number,
): Verdict | undefined {
  for (const [index, traced] of rules.entries()) {
    const { step, end, verdict } = evaluateNftRule(table, name, index + 1, traced, traversal)
    traversal.record(step)
    if (end !== undefined) return end
    if (verdict === undefined || verdict.kind === 'continue') continue
    if (verdict.kind === 'return') return undefined
    const chain = table.chains.get(verdict.chain ?? '')
    const below =
      chain && depth < deepest
        ? traverseChain(table, verdict.chain ?? '', chain, traversal, depth + 1)
        : undefined
    if (below !== undefined || verdict.kind === 'goto') return below
  }
  return undefined
}
