import type { Negatable } from '../../netfilter/rules/option.js'
import type { Holds } from '../model/steps.js'

/** Whether a condition holds, and what the packet has instead. */
export interface Answer {
  readonly holds: Holds
  /** Absent when it holds. */
  readonly because?: string
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
