import { isGlob } from '../../netfilter/glob.js'

/** What a pattern is matched with: a rule as iptables-save prints it. */
export interface NamedRule {
  readonly table: string
  readonly chain: string
  /** Without `-A CHAIN`. */
  readonly spec: string
}

/**
 * Whether a rule matches a pattern, in which `*` matches any characters: by its chain's name, by `CHAIN spec`, or by
 * `table CHAIN spec`.
 */
export function isLike({ table, chain, spec }: NamedRule, glob: string): boolean {
  return [chain, `${chain} ${spec}`, `${table} ${chain} ${spec}`].some((text) => isGlob(glob, text))
}
