import type { NftBlock, NftListing } from '../../../../netfilter/nftList.js'
import type { Language } from '../../../../text/language.js'
import type {
  ExplainedChain,
  ExplainedPort,
  ExplainedRule,
  ExplainedRuleset,
  ExplainedService,
} from '../../iptables/explained/types.js'
import { nodePortIPsSet, sharedContainers } from '../containers.js'
import { explainElement, explainNftRule } from '../explain.js'
import { listedRule } from '../listed.js'
import type { NftChain } from '../rule.js'
import type { ServicePortTable } from '../serviceTable.js'
import { sharedElements, type NftTable, type SharedElements } from '../table.js'
import { nftTexts } from '../texts.js'
import { elementText } from '../writer.js'
import { blockAbout, blockComesFirst, blockRank } from './blockAbout.js'

/** A rule or element that kube-proxy writes, as nft lists it. */
interface Written {
  readonly spec: string
  readonly why: string
}

/** What kube-proxy writes to one chain, set or map: for one service port, or for all. */
interface Part {
  readonly kind: NftBlock['kind']
  readonly name: string
  readonly written: readonly Written[]
}

/**
 * Compares the nft listing of a node's table with what kube-proxy writes, in the shape of `explainRuleset`: a set or map
 * is a chain whose rules are its elements, listed by Service; the `table` of a chain is its kind.
 * There are no counts: kube-proxy's nft rules have no counters.
 */
export function explainTable(table: NftTable, listing: NftListing, language: Language): ExplainedRuleset {
  const existing = existingIn(listing)
  const fixed = fixedParts(table, language).map((part) => explained(part, existing, language))
  const services = explainServices(table, existing, language)
  const ours = new Set<string>(sharedContainers)
  const left = listing.blocks.flatMap(({ kind, name }) => {
    const rules = extras(existing, name, language)
    return rules.length === 0 ? [] : [{ table: kind, chain: name, about: blockAbout(name, language), rules }]
  })
  const shared = [...fixed, ...left.filter(({ chain }) => ours.has(chain))]
  const others = left.filter(({ chain }) => !ours.has(chain))
  return {
    family: table.family,
    first: inOrder(shared.filter(({ chain }) => blockComesFirst(chain))),
    services,
    last: inOrder(shared.filter(({ chain }) => !blockComesFirst(chain))),
    others,
  }
}

/** A listed rule or element, and whether it is matched to a written one. */
interface Existing {
  readonly spec: string
  matched: boolean
}

/** By name of their chain, set or map. */
type AllExisting = ReadonlyMap<string, readonly Existing[]>

function existingIn({ blocks }: NftListing): AllExisting {
  return new Map(
    blocks.map(({ kind, name, lines, elements }) => {
      const specs = kind === 'chain' ? lines.filter((line) => !isHead(line)) : dynamic(lines) ? [] : elements
      return [name, specs.map((spec) => ({ spec, matched: false }))]
    }),
  )
}

function extras(existing: AllExisting, name: string, language: Language): ExplainedRule[] {
  const why = nftTexts[language].extra
  const unmatched = (existing.get(name) ?? []).filter(({ matched }) => !matched)
  return unmatched.map(({ spec }) => ({ state: 'extra', spec, why }))
}

/** The hook and the comment of a chain. */
function isHead(line: string): boolean {
  return /^(?:type \S+ hook |comment ")/.test(line)
}

/** Rules fill dynamic sets; their elements are not explained. */
function dynamic(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith('flags ') && line.includes('dynamic'))
}

function fixedParts({ fixed, context }: NftTable, language: Language): Part[] {
  const { nodePortIPs = [] } = context
  const why = nftTexts[language].elements.nodePortAddress
  return [
    ...fixed.map((chain) => chainPart(chain, context, language)),
    ...(nodePortIPs.length === 0
      ? []
      : [
          { kind: 'set' as const, name: nodePortIPsSet, written: nodePortIPs.map((spec) => ({ spec, why })) },
        ]),
  ]
}

function chainPart({ name, rules }: NftChain, context: NftTable['context'], language: Language): Part {
  const written = rules.map((rule) => ({
    spec: listedRule(rule, context),
    why: explainNftRule(rule, language),
  }))
  return { kind: 'chain', name, written }
}

function explainServices(table: NftTable, existing: AllExisting, language: Language): ExplainedService[] {
  const found = new Map<string, ExplainedPort[]>()
  const elements = sharedElements(table)
  for (const one of table.servicePorts) {
    const { namespace, service, name, port, protocol } = one.port
    const parts = portParts(one, table, elements, language)
    const chains = inOrder(parts.map((part) => explained(part, existing, language)))
    const key = `${namespace}/${service}`
    found.set(key, [...(found.get(key) ?? []), { name, port: `${port}/${protocol}`, chains }])
  }
  return [...found].map(([key, ports]) => {
    const [namespace = '', name = ''] = key.split('/')
    return { namespace, name, ports }
  })
}

function portParts(
  { port, elements, chains }: ServicePortTable,
  { containers, context }: NftTable,
  all: SharedElements,
  language: Language,
): Part[] {
  // if two use the same address and port, only one has the element
  const written = elements.filter(({ container, key, value }) => {
    const has = all.get(container)?.get(key)
    return has !== undefined && has.value === value
  })
  const kindOf = new Map(containers.map(({ name, kind }) => [name, kind]))
  const byContainer = new Map<string, Written[]>()
  for (const element of written) {
    const one = { spec: elementText(element), why: explainElement(element, port, language) }
    byContainer.set(element.container, [...(byContainer.get(element.container) ?? []), one])
  }
  return [
    ...[...byContainer].map(([name, all]) => ({
      kind: kindOf.get(name) ?? ('map' as const),
      name,
      written: all,
    })),
    ...chains.map((chain) => chainPart(chain, context, language)),
  ]
}

/** Matches a part to the listing. A chain belongs to one part, so its other rules are extra; maps are shared. */
function explained({ kind, name, written }: Part, existing: AllExisting, language: Language): ExplainedChain {
  const there = existing.get(name) ?? []
  const rules = written.map(({ spec, why }): ExplainedRule => {
    const found = there.find((one) =>
      kind === 'chain'
        ? one.spec === spec && !one.matched
        : withoutComment(one.spec) === withoutComment(spec),
    )
    if (found !== undefined) found.matched = true
    return { state: found === undefined ? 'missing' : 'expected', spec, why }
  })
  const own = kind === 'chain' ? extras(existing, name, language) : []
  if (kind === 'chain') for (const one of there) one.matched = true
  return { table: kind, chain: name, about: blockAbout(name, language), rules: [...rules, ...own] }
}

/** The comment of an element decides nothing, and snapshots do not have it. */
function withoutComment(element: string): string {
  return element.replace(/ comment "[^"]*"/, '')
}

function inOrder(chains: readonly ExplainedChain[]): ExplainedChain[] {
  return chains
    .filter(({ rules }) => rules.length > 0)
    .sort((a, b) => blockRank(a.chain) - blockRank(b.chain))
}
