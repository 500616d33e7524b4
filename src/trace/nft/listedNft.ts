import { elementsOf, readElement } from '../../netfilter/nft/elements.js'
import { readHook } from '../../netfilter/nft/hook.js'
import { canonicalNftRule, parseNftRule } from '../../netfilter/nft/statements.js'
import { parseNftLists, rulesOf, type NftBlock, type NftListing } from '../../netfilter/nftList.js'
import { observerTable } from '../../netfilter/trace/observer.js'
import {
  nftTableName,
  type NftRuleset,
  type NftTable,
  type NftTracedChain,
  type NftTracedRule,
  type NftTracedSet,
} from '../model/nft.js'

/** Tables whose rules iptables-nft writes, if their base chains have the names that it gives them. */
const ofIptables = new Set(['raw', 'mangle', 'nat', 'filter', 'security'])
const builtIn = new Set(['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'])

/**
 * The native tables of a namespace, from the output of `nft -s list ruleset`. What rules and elements mean comes from the
 * plan, where it has the same ones. Throws Error for output that is cut off.
 */
export function listedNft(text: string, planned?: NftRuleset): NftRuleset {
  const listings = parseNftLists(text)
  return {
    tables: listings.flatMap((listing) => (isNative(listing) ? [tableOf(listing, planned)] : [])),
    order: listings.map(({ table }) => table.slice('table '.length)),
  }
}

function isNative({ table, blocks }: NftListing): boolean {
  const [, family = '', name = ''] = table.split(' ')
  if (name === observerTable) return false
  if (!ofIptables.has(name) || !['ip', 'ip6'].includes(family)) return true
  return blocks.some((block) => hookOf(block) !== undefined && !builtIn.has(block.name))
}

function tableOf({ table, blocks }: NftListing, planned: NftRuleset | undefined): NftTable {
  const [, family = '', name = ''] = table.split(' ')
  const known = planned?.tables.find((one) => nftTableName(one) === `${family} ${name}`)
  const chains = blocks.filter(({ kind }) => kind === 'chain')
  const sets = blocks.filter(({ kind }) => kind !== 'chain')
  return {
    ...{ family, name },
    chains: new Map(chains.map((block) => [block.name, chainOf(block, known?.chains.get(block.name))])),
    sets: new Map(sets.map((block) => [block.name, setOf(block, known?.sets.get(block.name))])),
  }
}

function chainOf(block: NftBlock, planned: NftTracedChain | undefined): NftTracedChain {
  const known = new Map(planned?.rules.map((rule) => [canonicalNftRule(rule.spec), rule]))
  const read = (spec: string): NftTracedRule => ({
    ...{ statements: parseNftRule(spec), spec },
    ...meaningOf(known.get(canonicalNftRule(spec))),
  })
  return { hook: hookOf(block), rules: rulesOf(block).map(read) }
}

function meaningOf(rule: NftTracedRule | undefined): Omit<NftTracedRule, 'statements' | 'spec'> {
  return rule === undefined ? {} : { why: rule.why, servicePort: rule.servicePort, planned: rule.planned }
}

function setOf({ elements }: NftBlock, planned: NftTracedSet | undefined): NftTracedSet {
  return { elements: elementsOf(elements.map(readElement)), meanings: planned?.meanings ?? new Map() }
}

function hookOf({ lines }: NftBlock): ReturnType<typeof readHook> {
  const line = lines.find((one) => one.startsWith('type '))
  return line === undefined ? undefined : readHook(line)
}
