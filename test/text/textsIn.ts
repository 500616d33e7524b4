/** Every text of a value, by its path; for a function, its text with a value in each place. */
export function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return textsIn((value as (...args: unknown[]) => unknown)('x', 1, 2), path)
  return Object.entries(value as object).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`))
}

/** Matches Korean text. */
export const hangul = /\p{Script=Hangul}/u
