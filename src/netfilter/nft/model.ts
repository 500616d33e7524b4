import type { Rate } from '../rules/formats.js'

/** A value that nft reads from a packet, or computes; the names are those of nft(8). */
export type NftExpression =
  /** `ip saddr`, `tcp dport`, `th sport`, `icmp type` */
  | { readonly kind: 'payload'; readonly protocol: string; readonly field: string }
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'ct'; readonly key: string; readonly direction?: 'original' | 'reply' | undefined }
  /** `fib daddr . iif type`: `inputs` are `daddr` and `iif`, `result` is `type`. */
  | { readonly kind: 'fib'; readonly inputs: readonly string[]; readonly result: string }
  /** A number from `offset`, below `offset` + `modulus`. */
  | {
      readonly kind: 'numgen'
      readonly mode: 'random' | 'inc'
      readonly modulus: number
      readonly offset: number
    }
  | {
      readonly kind: 'binary'
      readonly operator: '&' | '|' | '^'
      readonly left: NftExpression
      readonly right: NftExpression
    }
  | { readonly kind: 'concat'; readonly parts: readonly NftExpression[] }
  | { readonly kind: 'map'; readonly key: NftExpression; readonly map: NftOperand }
  /** An address, a range, a number, a name; with several words only the flags of `tcp flags`. */
  | { readonly kind: 'literal'; readonly words: readonly string[] }
  /** `@set`, or elements between braces. */
  | { readonly kind: 'elements'; readonly set: NftOperand }

/** A set or map: a named one of the table, or one that belongs to the rule. */
export type NftOperand = { readonly name: string } | { readonly elements: NftElements }

/** One element of a set or map. */
export interface NftElement {
  /** The parts of a concatenation, in order; each a value, a range, a network, or a name with `*` at its end. */
  readonly key: readonly string[]
  /** What a map holds for the key: a verdict, or the parts of a value. */
  readonly value?: string | undefined
  /** The key as nft lists it. */
  readonly text: string
}

/** Elements by key, and those that hold for more than one value, in the kernel’s order. */
export interface NftElements {
  readonly exact: ReadonlyMap<string, NftElement>
  readonly ranges: readonly NftElement[]
}

/** Ends a rule, or continues in another chain. */
export interface NftVerdict {
  readonly kind: 'accept' | 'drop' | 'return' | 'continue' | 'jump' | 'goto' | 'queue'
  /** Of jump and goto. */
  readonly chain?: string | undefined
}

/**
 * How a condition compares: `is` is a comparison without an operator, which flags pass if they have one in common; `!` holds if
 * they have none.
 */
export type NftComparison = 'is' | '!' | '==' | '!=' | '<' | '>' | '<=' | '>='

/** One part of a rule; `text` is the part as it was read. */
export type NftStatement = { readonly text: string } & (
  | {
      readonly kind: 'match'
      readonly left: NftExpression
      readonly operator: NftComparison
      readonly right: NftExpression
    }
  /** How many packets pass in a time; `isOver` for those above. */
  | { readonly kind: 'limit'; readonly rate: Rate; readonly burst: number; readonly isOver: boolean }
  /** How many bytes pass in all. */
  | { readonly kind: 'quota'; readonly bytes: number; readonly isOver: boolean }
  /** How many connections have met the rule. */
  | { readonly kind: 'connections'; readonly most: number; readonly isOver: boolean }
  | { readonly kind: 'vmap'; readonly key: NftExpression; readonly map: NftOperand }
  | { readonly kind: 'verdict'; readonly verdict: NftVerdict }
  /** `meta mark set …` and the like. */
  | { readonly kind: 'assign'; readonly target: NftExpression; readonly value: NftExpression }
  | {
      readonly kind: 'nat'
      readonly type: 'dnat' | 'snat' | 'masquerade' | 'redirect'
      readonly to?: NftExpression | undefined
      /** `random`, `fully-random`, `persistent`; `prefix` if it moves addresses from network to network. */
      readonly flags: readonly string[]
    }
  /** `only`: the packets that it is for, although nft lists no condition: `tcp` for a reset, those of a family for its errors. */
  | { readonly kind: 'reject'; readonly with: string; readonly only?: 'tcp' | 'IPv4' | 'IPv6' | undefined }
  | {
      readonly kind: 'change'
      readonly operation: 'add' | 'update' | 'delete'
      readonly set: string
      readonly key: NftExpression
      /** What a map gets for the key, as text. */
      readonly value?: string | undefined
    }
  | { readonly kind: 'notrack' }
  /** Changes nothing that decides the path of a packet: counters, logs, comments. */
  | { readonly kind: 'passing' }
  /** Not known, or a condition that packets and tables alone do not decide. */
  | { readonly kind: 'unknown' }
)

/** The hook of a base chain. */
export interface NftHook {
  readonly type: string
  readonly hook: string
  readonly priority: number
  readonly policy: 'accept' | 'drop'
  /** The interfaces of a chain at the hook ingress or egress. */
  readonly devices?: readonly string[] | undefined
}
