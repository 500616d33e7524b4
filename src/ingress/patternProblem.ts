/**
 * Why a user's regular expression cannot be used in a proxy's configuration; undefined if it can. Accepted expressions
 * compile in PCRE and in JavaScript and mean the same: one that does not compile would make the whole configuration
 * invalid, and one with an open quote or group would change the text around it.
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
  } catch {
    return 'it is not a regular expression'
  }
  const escape = /\\(?:[A-Za-z0-9]|$)/g
  for (const [found] of pattern.replaceAll('\\\\', '').matchAll(escape))
    if (!/^\\[dDwWsSbBtnrfv]$/.test(found)) return `it contains ${found}`
  // escaped characters are literal, and a class cannot be the end of a range
  const bare = pattern.replace(/\\[dDwWsS]/g, '\u0001').replace(/\\[^]/g, 'x')
  const [found] = /\[\^?\]|\[[.:=]|\(\*|\(\?(?![:=!])|\u0001-[^\]]|-\u0001|\{\d{4}|,\d{4}/.exec(bare) ?? []
  return found === undefined ? undefined : `it contains ${found.replaceAll('\u0001', 'a class')}`
}
