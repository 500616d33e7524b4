/** The lines of a configuration as HAProxy parses them: words without quotes and escapes. Throws where HAProxy would. */
export function parseHaproxy(text: string): string[][] {
  return text
    .split('\n')
    .map(words)
    .filter((line) => line.length > 0)
}

function words(line: string): string[] {
  const found: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (quote === "'") {
      if (char === "'") quote = undefined
      else word += char
    } else if (char === '\\') {
      at++
      if (at >= line.length) throw new Error('an escape at the end of a line')
      word = (word ?? '') + (line[at] ?? '')
    } else if (char === '"') {
      quote = quote === undefined ? '"' : undefined
      word ??= ''
    } else if (quote === undefined && char === "'") {
      quote = "'"
      word ??= ''
    } else if (char === '$' && quote === '"') throw new Error('a variable')
    else if (quote === undefined && char === '#') break
    else if (quote === undefined && /[ \t\r]/.test(char)) {
      if (word !== undefined) found.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (quote !== undefined) throw new Error('a quote without end')
  return word === undefined ? found : [...found, word]
}
