import type { PathMatch } from './model.js'

/** A literal text as a regular expression of PCRE; no letter or digit is escaped, for that would give it a meaning. */
export function escapePattern(text: string): string {
  return text.replace(/[^\w/ ,:;=@~<>%&"'`!\u0080-\uffff-]/g, '\\$&')
}

/**
 * A regular expression of PCRE for the decoded path of a request, to be put after what stands for its start: Exact is
 * the whole path; Prefix goes by path elements, so that /foo and /foo/ match /foo and /foo/bar and not /foobar; a
 * regular expression matches from the start on, its letters of either case (as ingress-nginx does).
 */
export function pathPattern({ type, value }: PathMatch): string {
  if (type === 'Exact') return `${escapePattern(value)}\\z`
  if (type === 'RegularExpression') return `(?i:${value})`
  const elements = withoutEndSlashes(value)
  return elements === '' ? '/' : `${escapePattern(elements)}(?:/|\\z)`
}

/** A path without the slashes at its end; of the root nothing remains. */
export function withoutEndSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}

/** Number of elements of a path: as many are replaced with the prefix that it is. */
export function elementCount(path: string): number {
  return withoutEndSlashes(path).split('/').length - 1
}
