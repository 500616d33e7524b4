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
}

/** Reads a line of `nft -n monitor trace`; undefined for those about packets, policies and the end of a chain. */
export function parseTracedRule(line: string): TracedRule | undefined {
  const match = /^trace id (\S+) (\S+ \S+) (\S+) rule (.*) \(verdict (.*)\)\s*$/.exec(line)
  if (match === null) return undefined
  const [, packet = '', table = '', chain = '', rule = '', verdict = ''] = match
  return { packet, table, chain, rule, verdict }
}

/** The UDP port that a traced packet was sent to; undefined for lines that describe no such packet to that address. */
export function tracedPort(line: string, address: string): number | undefined {
  if (!line.startsWith('trace id ') || !line.includes(` ip daddr ${address} `)) return undefined
  const port = / udp dport (\d+) /.exec(line)?.[1]
  return port === undefined ? undefined : Number(port)
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
function askedIn(rule: string): string[] {
  return [...rule.matchAll(/(\S+) @(\S+)/g)].flatMap(([, before = '', name = '']) =>
    ['!=', 'update', 'add', 'delete'].includes(before) ? [] : [name],
  )
}
