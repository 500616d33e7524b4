import type { RuleCount } from './types.js'

/** A rule that a traced packet met from its first word to its last, as `nft monitor trace` tells it. */
export interface TracedRule {
  /** Tells the packet from others. */
  readonly packet: string
  /** `ip kube-proxy` */
  readonly table: string
  readonly chain: string
  readonly rule: string
  /** `jump services`, `accept`, `continue`, … */
  readonly verdict: string
  /** The packet as it came to the hook; undefined where nft did not say it. */
  readonly header?: TracedHeader | undefined
}

/** What sets and maps know a packet by. */
export interface TracedHeader {
  readonly source: string
  readonly destination: string
  /** Absent of a packet without ports. */
  readonly transport?: { readonly protocol: string; readonly port: number }
}

/** Reads a line of `nft monitor trace` about a packet that has come to a hook, with the packet's id. */
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
 * What traced packets met, as counters would have it: of chains rule by rule, and of a set or map how often a rule that
 * asks it found something there. What stands and was not met is there with 0.
 */
export function tracedCounts(standing: readonly RuleCount[], traced: readonly TracedRule[]): RuleCount[] {
  const met = traced.flatMap(({ table, chain, rule }): RuleCount[] => {
    const name = table.split(' ').at(-1) ?? table
    const one = { table: name, rule, packets: 1 }
    return [{ ...one, chain }, ...askedIn(rule).map((container) => ({ ...one, chain: container }))]
  })
  return [...standing, ...met]
}

/** The sets and maps in which a rule that was met found what it looked for: not those it writes to, or did not find it in. */
export function askedIn(rule: string): string[] {
  return [...rule.matchAll(/(\S+) @(\S+)/g)].flatMap(([, before = '', name = '']) =>
    ['!=', 'update', 'add', 'delete'].includes(before) ? [] : [name],
  )
}
