/** How a value is read from the words after an option, and printed. */
export interface Format<Value> {
  readonly words: 1 | 2
  /** Undefined if the words are not such a value. */
  read(first: string, second: string): Value | undefined
  print(value: Value): string
}

/** A value that iptables-save prints after `!` when it is negated. */
export interface Negatable<Value> {
  readonly value: Value
  readonly negated?: true
}

/** One option of a match or target. */
export type Option =
  | { readonly shape: 'flag' | 'switch'; readonly required?: true }
  | { readonly shape: 'value' | 'negatable'; readonly required?: true; readonly format: Format<unknown> }

/**
 * The options of one match or target, in the order in which iptables-save prints them. The name of a field is the
 * option's in camel case: `toDestination` for `--to-destination`.
 */
export type Options = Readonly<Record<string, Option>>

/** An option without a value: the field is `true`. */
export const flag = { shape: 'flag' } as const

/** An option without a value that can be negated: the field is `false` for `! --option`. */
export const toggle = { shape: 'switch' } as const

/** An option with a value. */
export function value<Value>(format: Format<Value>) {
  return { shape: 'value', format } as const
}

/** An option with a value, which can be negated. */
export function negatable<Value>(format: Format<Value>) {
  return { shape: 'negatable', format } as const
}

/** An option that every match or target of its kind has. */
export function required<Of extends Option>(option: Of): Of & { readonly required: true } {
  return { ...option, required: true }
}

/** What the fields of a match or target hold. */
export type Fields<Of extends Options> = {
  readonly [Key in RequiredKeys<Of>]: Field<Of[Key]>
} & {
  readonly [Key in Exclude<keyof Of, RequiredKeys<Of>>]?: Field<Of[Key]> | undefined
}

type RequiredKeys<Of extends Options> = {
  [Key in keyof Of]: Of[Key] extends { readonly required: true } ? Key : never
}[keyof Of]

type Field<Of extends Option> = Of extends { readonly shape: 'flag' }
  ? true
  : Of extends { readonly shape: 'switch' }
    ? boolean
    : Of extends { readonly shape: 'value'; readonly format: Format<infer Value> }
      ? Value
      : Of extends { readonly shape: 'negatable'; readonly format: Format<infer Value> }
        ? Negatable<Value>
        : never
