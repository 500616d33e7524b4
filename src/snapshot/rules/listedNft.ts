import { isBuiltIn } from '../../netfilter/chainOwners.js'
import { programOfTable } from '../programs.js'
import { elementsOf, readElement } from '../../netfilter/nft/elements.js'
import { readHook } from '../../netfilter/nft/hook.js'
import { parseNftRule } from '../../netfilter/nft/statements.js'
import { parseNftLists, rulesOf, type NftBlock, type NftListing } from '../../netfilter/nftList.js'
import { observerTable } from '../../netfilter/trace/observer.js'
import type { NftRuleset, NftTable, NftTracedChain, NftTracedSet } from '../model/nft.js'

/** Tables whose rules iptables-nft writes, if their base chains have the names that it gives them. */
const ofIptables = new Set(['raw', 'mangle', 'nat', 'filter', 'security'])
/**
 * The native tables of a namespace, from the output of `nft -s list ruleset`. What rules mean is not known. Throws Error for output
 * that is cut off.
 */
export function listedNft(text: string): NftRuleset {
  const listings = parseNftLists(text)
  return {
    tables: listings.flatMap((listing) => (isNative(listing) ? [tableOf(listing)] : [])),
    order: listings.map(({ table }) => table.slice('table '.length)),
  }
}

function isNative({ table, blocks }: NftListing): boolean {
  const [, family = '', name = ''] = table.split(' ')
  if (name === observerTable) return false
  if (!ofIptables.has(name) || !['ip', 'ip6'].includes(family)) return true
  return blocks.some((block) => hookOf(block) !== undefined && !isBuiltIn(block.name))
}

function tableOf({ table, blocks }: NftListing): NftTable {
  const [, family = '', name = ''] = table.split(' ')
  const chains = blocks.filter(({ kind }) => kind === 'chain')
  const sets = blocks.filter(({ kind }) => kind !== 'chain')
  return {
    ...{ family, name },
    chains: new Map(chains.map((block) => [block.name, chainOf(table, block)])),
    sets: new Map(sets.map((block) => [block.name, setOf(block)])),
  }
}

function chainOf(table: string, block: NftBlock): NftTracedChain {
  const owner = programOfTable(table)
  const rules = rulesOf(block).map((spec) => ({ statements: parseNftRule(spec), spec, owner }))
  return { hook: hookOf(block), rules }
}

function setOf({ elements }: NftBlock): NftTracedSet {
  return { elements: elementsOf(elements.map(readElement)), meanings: new Map() }
}

function hookOf({ lines }: NftBlock): ReturnType<typeof readHook> {
  const line = lines.find((one) => one.startsWith('type '))
  return line === undefined ? undefined : readHook(line)
}
