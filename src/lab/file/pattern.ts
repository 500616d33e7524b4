import { RE2JS } from 're2js'

/** A long pattern of a lab file; what is longer takes memory for every character of a text. */
const longest = 1000

/**
 * Whether some part of a text matches a regular expression, in time proportional to the text: patterns are a lab's own, and
 * a backtracking engine needs longer than anyone waits for `^(a+)+$`. Throws for what is no pattern of RE2.
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
