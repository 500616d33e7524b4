import { RE2JS } from 're2js'

/** The maximum length of a pattern: longer ones take memory for every character of a text. */
const longest = 1000

/**
 * Whether some part of a text matches a regular expression, in linear time: patterns come from lab files, and a
 * backtracking engine takes exponential time for `^(a+)+$`. Throws for an invalid RE2 pattern.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.MULTILINE)
  return (text) => compiled.matcher(text).find()
}

/** Whether a text is a regular expression that `compilePattern` takes. */
export function isPattern(text: string): boolean {
  try {
    return text.length <= longest && typeof compilePattern(text) === 'function'
  } catch {
    return false
  }
}
