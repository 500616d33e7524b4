/** Whether a text matches a pattern in which `*` matches any text; linear in both lengths. */
export function isGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  // the first match of each piece leaves the most text for the rest
  let from = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
