import { isBuiltIn } from '../../netfilter/chainOwners.js'
import { programOfTable } from '../programs.js'
import { elementsOf, readElement } from '../../netfilter/nft/elements.js'
import { readHook } from '../../netfilter/nft/hook.js'
import { parseNftRule } from '../../netfilter/nft/statements.js'
import { numberedRules, parseNftLists, type NftBlock, type NftListing } from '../../netfilter/nftList.js'
import { observerTable } from '../../netfilter/trace/observer.js'
import type { NftRuleset, NftTable, NftTracedChain, NftTracedSet } from '../model/nft.js'
import type { ReadAt } from '../model/readAt.js'

/** Tables whose rules iptables-nft writes, if their base chains have the names that it gives them. */
const ofIptables = new Set(['raw', 'mangle', 'nat', 'filter', 'security'])

/** Where a line of a listing is: the line of its text as the line of a file. */
type Where = (line: number) => ReadAt

/**
 * The native tables of a namespace, from the output of `nft -s list ruleset`. What rules mean is not known. Throws Error for output
 * that is cut off.
 */
export function listedNft(text: string, where?: Where): NftRuleset {
  const listings = parseNftLists(text)
  return {
    tables: listings.flatMap((listing) => (isNative(listing) ? [tableOf(listing, where)] : [])),
    order: listings.map(({ table }) => table.slice('table '.length)),
  }
}

/**
 * The tables of iptables-nft in the same output. nft prints some of their conditions in a form of its own, and others only by name:
 * rules with those are not decided.
 */
export function listedIptables(text: string, where?: Where): NftTable[] {
  return parseNftLists(text).flatMap((listing) =>
    isNative(listing) || listing.table.endsWith(` ${observerTable}`)
      ? []
      : [tableOf(listing, where, translated)],
  )
}

/** The words of iptables-translate(8), which nft prints for these rules, in those that it prints for its own. */
function translated(spec: string): string {
  return spec
    .replaceAll(/ (lt|gt|le|ge) (?=\d)/g, (_, word: keyof typeof comparisons) => ` ${comparisons[word]} `)
    .replaceAll(/ ! (?=\w)/g, ' != ')
    .replaceAll(/ xt match "?comment"?/g, '')
    .replaceAll(/ set mark (?=or|xor|and)/g, ' set meta mark ')
    .replaceAll(/(^| )(pkttype|random|length) (?=[^=])/g, '$1meta $2 ')
    .replaceAll('meta meta ', 'meta ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

const comparisons = { lt: '<', gt: '>', le: '<=', ge: '>=' } as const

function isNative({ table, blocks }: NftListing): boolean {
  const [, family = '', name = ''] = table.split(' ')
  if (name === observerTable) return false
  if (!ofIptables.has(name) || !['ip', 'ip6'].includes(family)) return true
  return blocks.some((block) => hookOf(block) !== undefined && !isBuiltIn(block.name))
}

function tableOf(
  { table, blocks }: NftListing,
  where?: Where,
  change: (spec: string) => string = (spec) => spec,
): NftTable {
  const [, family = '', name = ''] = table.split(' ')
  const chains = blocks.filter(({ kind }) => kind === 'chain')
  const sets = blocks.filter(({ kind }) => kind !== 'chain')
  return {
    ...{ family, name },
    chains: new Map(chains.map((block) => [block.name, chainOf(table, block, where, change)])),
    sets: new Map(sets.map((block) => [block.name, setOf(block)])),
  }
}

function chainOf(
  table: string,
  block: NftBlock,
  where: Where | undefined,
  change: (spec: string) => string,
): NftTracedChain {
  const owner = programOfTable(table)
  const rules = numberedRules(block).map(({ spec, line }) => {
    const at = line === undefined ? undefined : where?.(line)
    return { statements: parseNftRule(change(spec)), spec, owner, ...(at && { at }) }
  })
  return { hook: hookOf(block), rules }
}

function setOf({ elements }: NftBlock): NftTracedSet {
  return { elements: elementsOf(elements.map(readElement)), meanings: new Map() }
}

function hookOf({ lines }: NftBlock): ReturnType<typeof readHook> {
  const line = lines.find((one) => one.startsWith('type '))
  return line === undefined ? undefined : readHook(line)
}
