import type { Negatable } from '../../netfilter/rules/option.js'
import type { Meaning } from '../../agents/meaning.js'
import type { Holds } from '../model/steps.js'

/** Whether a condition holds, and what the packet has instead. */
export interface Answer {
  readonly holds: Holds
  /** Absent when it holds, unless that is assumed. */
  readonly because?: string
  /** The entry of an ipset by which it holds. */
  readonly found?: FoundEntry
  /** What it changes where it is evaluated. */
  readonly effect?: StateEffect
}

/** A change of the state of a host that a condition makes; `doubt` where it is not known whether it was evaluated. */
export interface StateEffect {
  readonly apply: () => void
  readonly doubt: () => void
}

/** An entry of an ipset, and what is known about it. */
export interface FoundEntry extends Meaning {
  readonly element: string
}

/** The condition holds. */
export const yes: Answer = { holds: 'yes' }

/** It does not hold. */
export function no(because: string): Answer {
  return { holds: 'no', because }
}

/** The state does not decide it. */
export function unknown(because: string): Answer {
  return { holds: 'unknown', because }
}

/** The answer of a condition that may be negated. */
export function said({ negated }: Negatable<unknown>, isSo: boolean, because: string): Answer {
  return isSo === (negated !== true) ? yes : no(because)
}

/** Both conditions hold. */
export function all(first: Answer, second: () => Answer): Answer {
  if (first.holds === 'no') return first
  const other = second()
  return first.holds === 'unknown' && other.holds === 'yes' ? first : other
}

/** Why a rule exists, after the field of the Service whose entry of a set it has found. */
export function whyOf(why: string | undefined, field: string | undefined): string | undefined {
  if (field === undefined || why?.startsWith(`${field}:`) === true) return why
  return why === undefined ? field : `${field} (${why})`
}
