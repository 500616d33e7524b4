import type { End } from './steps.js'

/** Whether an end is an answer that is no error of HTTP. */
export function isAnswered({ kind, http }: Pick<End, 'kind' | 'http'>): boolean {
  return kind === 'answered' && (http?.status ?? 200) < 400
}
