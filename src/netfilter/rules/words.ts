/** Splits the text of a rule into words; what is in double quotes is one word, quotes and backslashes kept. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === ' ') {
      at++
      continue
    }
    const end = text[at] === '"' ? endOfQuotes(text, at) : text.indexOf(' ', at)
    words.push(end < 0 ? text.slice(at) : text.slice(at, end))
    at = end < 0 ? text.length : end
  }
  return words
}

/** A text as iptables-save prints it: in quotes when it is empty or has characters other than letters, digits, `-` and `_`. */
export function quote(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `"${text.replace(/["'\\]/g, '\\$&')}"`
}

/** The text of a word, without quotes and the backslashes in them. */
export function unquote(word: string): string {
  if (!word.startsWith('"')) return word
  const inner = word.slice(1, word.endsWith('"') ? -1 : undefined)
  return inner.includes('\\') ? inner.replace(/\\(.)/g, '$1') : inner
}

/** The index after the closing quote; -1 if it is missing. */
function endOfQuotes(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return -1
}
