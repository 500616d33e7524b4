import type { PathMatch } from './model.js'

/** A literal text as a PCRE regular expression; letters and digits are not escaped, because that would change their meaning. */
export function escapePattern(text: string): string {
  return text.replace(/[^\w/ ,:;=@~<>%&"'`!\u0080-\uffff-]/g, '\\$&')
}

/**
 * A PCRE regular expression for the decoded path of a request, without an anchor at its start: Exact is the whole path;
 * Prefix is by path elements, so that /foo and /foo/ match /foo and /foo/bar but not /foobar; a regular expression
 * matches from the start, case-insensitively (as in ingress-nginx).
 */
export function pathPattern({ type, value }: PathMatch): string {
  if (type === 'Exact') return `${escapePattern(value)}\\z`
  if (type === 'RegularExpression') return `(?i:${value})`
  const elements = withoutEndSlashes(value)
  return elements === '' ? '/' : `${escapePattern(elements)}(?:/|\\z)`
}

/** A path without trailing slashes; empty for the root. */
export function withoutEndSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}

/** Number of path elements: as many are replaced with the prefix. */
export function elementCount(path: string): number {
  return withoutEndSlashes(path).split('/').length - 1
}
