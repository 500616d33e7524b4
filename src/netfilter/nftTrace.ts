import type { PacketHeader } from './trace/header.js'
import type { TraceMessage, TraceVerdict } from './trace/types.js'
import type { RuleCount } from './types.js'

/** A rule that a traced packet matched completely. */
export interface TracedRule {
  /** `ip` or `ip6` */
  readonly family: string
  readonly table: string
  readonly chain: string
  /** As nft lists it; empty if it was removed before it was read. */
  readonly rule: string
  readonly verdict: TraceVerdict | undefined
  /** The packet at the hook; undefined if the kernel did not report it. */
  readonly header: PacketHeader | undefined
}

/** The rules of some tables, in both families, that packets matched in one namespace; `text` is that of a rule by its handle. */
export function tracedRules(
  messages: readonly TraceMessage[],
  ofTables: readonly string[],
  text: (of: { readonly family: string; readonly table: string }, handle: number) => string | undefined,
): TracedRule[] {
  const headers = new Map<number | undefined, PacketHeader>()
  return messages.flatMap(({ id, family, table, chain, type, handle, verdict, packet }) => {
    if (packet?.header !== undefined) headers.set(id, packet.header)
    if (!ofTables.includes(table) || type !== 'rule' || handle === undefined) return []
    const rule = text({ family, table }, handle) ?? ''
    return [{ family, table, chain, rule, verdict, header: headers.get(id) }]
  })
}

/**
 * Converts traced matches to counters: for chains by rule, for a set or map how often a rule
 * found an element in it. Rules and sets without a match have 0.
 */
export function tracedCounts(existing: readonly RuleCount[], traced: readonly TracedRule[]): RuleCount[] {
  const met = traced.flatMap(({ table, chain, rule }) =>
    [chain, ...askedIn(rule)].map((container) => ({ table, rule, chain: container, packets: 1 })),
  )
  return [...existing, ...met]
}

/** The sets and maps in which a matched rule found an element: not those it writes to, or negates. */
export function askedIn(rule: string): string[] {
  return [...rule.matchAll(/(\S+) @(\S+)/g)].flatMap(([, before = '', name = '']) =>
    ['!=', 'update', 'add', 'delete'].includes(before) ? [] : [name],
  )
}
