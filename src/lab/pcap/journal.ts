import type { Requested } from '../../packets/requested.js'

/** What a lab did while its packets were captured. */
export interface Journal {
  readonly steps: { readonly name: string; /** Seconds since the epoch. */ readonly start: number }[]
  readonly requested: Requested[]
}

/** The name of the last step that started before a time; undefined before the first one. */
export function stepAt({ steps }: Pick<Journal, 'steps'>, seconds: number): string | undefined {
  return steps.findLast(({ start }) => start <= seconds)?.name
}
