/** Whether a whole text is like a pattern in which `*` stands for anything; in time proportional to both. */
export function isGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  // the first place of each piece leaves most for those after it
  let from = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
