/** A directive as nginx parses it, without quotes and escapes. */
export interface Parsed {
  readonly words: readonly string[]
  readonly block?: readonly Parsed[] | undefined
}

/** Parses nginx's configuration by the rules of ngx_conf_read_token; throws where nginx would. */
export function parseNginx(text: string): Parsed[] {
  const tokens = tokenize(text)
  const read = (depth: number): Parsed[] => {
    const all: Parsed[] = []
    let words: string[] = []
    for (;;) {
      const token = tokens.next()
      if (token.done === true) {
        if (depth > 0 || words.length > 0) throw new Error('unexpected end of file')
        return all
      }
      const { kind, value } = token.value
      if (kind === 'word') words.push(value)
      else if (kind === '}') {
        if (depth === 0 || words.length > 0) throw new Error('unexpected "}"')
        return all
      } else {
        if (words.length === 0) throw new Error(`unexpected "${kind}"`)
        all.push(kind === '{' ? { words, block: read(depth + 1) } : { words })
        words = []
      }
    }
  }
  return read(0)
}

interface Token {
  readonly kind: 'word' | '{' | '}' | ';'
  readonly value: string
}

function* tokenize(text: string): Generator<Token, undefined> {
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    if (/[ \t\r\n]/.test(char)) at++
    else if (char === '#') at = (text.indexOf('\n', at) + text.length + 1) % (text.length + 1)
    else if (char === ';' || char === '{' || char === '}') {
      yield { kind: char, value: char }
      at++
    } else {
      const quote = char === '"' || char === "'" ? char : undefined
      const start = quote === undefined ? at : at + 1
      let end = start
      while (end < text.length && !isEnd(text, end, quote)) end += text[end] === '\\' ? 2 : 1
      if (end >= text.length) throw new Error('unexpected end of file')
      if (quote !== undefined && !/[ \t\r\n;{)]/.test(text[end + 1] ?? ''))
        throw new Error('unexpected after a quote')
      yield { kind: 'word', value: unescape(text.slice(start, end)) }
      at = quote === undefined ? end : end + 1
    }
  }
  return undefined
}

function isEnd(text: string, at: number, quote: string | undefined): boolean {
  if (quote !== undefined) return text[at] === quote
  return /[ \t\r\n;]/.test(text[at] ?? '') || (text[at] === '{' && text[at - 1] !== '$')
}

function unescape(word: string): string {
  const meant: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' }
  return word.replace(/\\(["'\\trn])/g, (_, char: string) => meant[char] ?? char)
}
