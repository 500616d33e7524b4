import type { RuleCount } from './types.js'

/** A rule that a traced packet matched completely, as `nft monitor trace` prints it. */
export interface TracedRule {
  /** Identifies the packet. */
  readonly packet: string
  /** `ip kube-proxy` */
  readonly table: string
  readonly chain: string
  readonly rule: string
  /** `jump services`, `accept`, `continue`, … */
  readonly verdict: string
  /** The packet at the hook; undefined if nft did not print it. */
  readonly header?: TracedHeader | undefined
}

/** The fields of a packet that sets and maps look up. */
export interface TracedHeader {
  readonly source: string
  readonly destination: string
  /** Absent if the packet has no ports. */
  readonly transport?: { readonly protocol: string; readonly port: number }
}

/** Parses a line of `nft monitor trace` about a packet at a hook, with the packet's id. */
export function parseTracedPacket(
  line: string,
): { readonly packet: string; readonly header: TracedHeader } | undefined {
  const [, packet, ip] = /^trace id (\S+) \S+ \S+ \S+ packet: .*? (ip6?) saddr /.exec(line) ?? []
  if (packet === undefined) return undefined
  const source = new RegExp(` ${ip} saddr (\\S+)`).exec(line)?.[1] ?? ''
  const destination = new RegExp(` ${ip} daddr (\\S+)`).exec(line)?.[1] ?? ''
  const [, protocol, port] = / (tcp|udp|sctp) dport (\d+)/.exec(line) ?? []
  const transport = protocol === undefined ? {} : { transport: { protocol, port: Number(port) } }
  return { packet, header: { source, destination, ...transport } }
}

/** Reads a line of `nft monitor trace`; undefined for those about packets, policies and the end of a chain. */
export function parseTracedRule(line: string): TracedRule | undefined {
  const match = /^trace id (\S+) (\S+ \S+) (\S+) rule (.*) \(verdict (.*)\)\s*$/.exec(line)
  if (match === null) return undefined
  const [, packet = '', table = '', chain = '', rule = '', verdict = ''] = match
  return { packet, table, chain, rule, verdict }
}

/**
 * Converts traced matches to counters: for chains by rule, for a set or map how often a rule
 * found an element in it. Rules and sets without a match have 0.
 */
export function tracedCounts(existing: readonly RuleCount[], traced: readonly TracedRule[]): RuleCount[] {
  const met = traced.flatMap(({ table, chain, rule }): RuleCount[] => {
    const name = table.split(' ').at(-1) ?? table
    const one = { table: name, rule, packets: 1 }
    return [{ ...one, chain }, ...askedIn(rule).map((container) => ({ ...one, chain: container }))]
  })
  return [...existing, ...met]
}

/** The sets and maps in which a matched rule found an element: not those it writes to, or negates. */
export function askedIn(rule: string): string[] {
  return [...rule.matchAll(/(\S+) @(\S+)/g)].flatMap(([, before = '', name = '']) =>
    ['!=', 'update', 'add', 'delete'].includes(before) ? [] : [name],
  )
}
