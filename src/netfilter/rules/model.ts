import type { matches, targets } from './extensions.js'
import type { headerOptions } from './headerOptions.js'
import type { Fields, Options } from './option.js'

/**
 * A rule as iptables-save and ip6tables-save print it, without its chain: the packets it matches, and what happens to
 * them. The fields have the names of the options in iptables(8) and iptables-extensions(8).
 */
export interface Rule extends Fields<typeof headerOptions> {
  /** In the order of the text. */
  readonly matches: readonly Match[]
  /** Absent for a rule that only counts. */
  readonly target?: Target | undefined
  /** The text that was read, if `renderRule` would print the same options differently (order, spaces). */
  readonly written?: string
}

/** A match of an extension (`-m`), or words that this model has no type for. */
export type Match = Typed<typeof matches> | UnknownMatch

/** What happens to a packet that matches (`-j`, `-g`). */
export type Target =
  | Typed<typeof targets>
  | { readonly kind: 'jump'; readonly chain: string }
  /** Does not return to this chain: RETURN there returns from this one. */
  | { readonly kind: 'goto'; readonly chain: string }
  | UnknownTarget

/** A match as iptables-save prints it: `-m time --timestart 10:00:00`. */
export interface UnknownMatch {
  readonly kind: 'unknown'
  readonly text: string
}

/** A target as iptables-save prints it. */
export interface UnknownTarget {
  readonly kind: 'unknown'
  readonly name: string
  /** The text after the name. */
  readonly options: string
}

type Typed<Of extends Readonly<Record<string, Options>>> = {
  readonly [Kind in keyof Of]: { readonly kind: Kind } & Fields<Of[Kind]>
}[keyof Of]

/** The first match of a kind that a rule has. */
export function matchOf<Kind extends Match['kind']>(
  { matches }: Rule,
  kind: Kind,
): Extract<Match, { readonly kind: Kind }> | undefined {
  return matches.find((match): match is Extract<Match, { readonly kind: Kind }> => match.kind === kind)
}

/** The chain that a rule jumps to, or the name of its target; undefined for a rule that only counts. */
export function targetName({ target }: Rule): string | undefined {
  switch (target?.kind) {
    case 'jump':
    case 'goto':
      return target.chain
    case 'unknown':
      return target.name
    default:
      return target?.kind
  }
}
