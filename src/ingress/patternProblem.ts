/**
 * Why a user's regular expression is not put into a proxy's configuration; undefined where it can be. What passes
 * compiles in PCRE and in JavaScript and means the same: one that did not compile would take the whole configuration
 * with it, and one with an end that is quoted or a group that is not closed what stands beside it.
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
  } catch {
    return 'it is not a regular expression'
  }
  const escape = /\\(?:[A-Za-z0-9]|$)/g
  for (const [found] of pattern.replaceAll('\\\\', '').matchAll(escape))
    if (!/^\\[dDwWsSbBtnrfv]$/.test(found)) return `it holds ${found}`
  // what is escaped stands for itself, and classes of characters are no ends of a range
  const bare = pattern.replace(/\\[dDwWsS]/g, '\u0001').replace(/\\[^]/g, 'x')
  const [found] = /\[\^?\]|\[[.:=]|\(\*|\(\?(?![:=!])|\u0001-[^\]]|-\u0001|\{\d{4}|,\d{4}/.exec(bare) ?? []
  return found === undefined ? undefined : `it holds ${found.replaceAll('\u0001', 'a class')}`
}
