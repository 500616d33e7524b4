// Characters that control a terminal, or that no terminal prints: control characters (C0, DEL, C1), line and paragraph
// separators, bidirectional overrides and other format characters, lone surrogates, non-characters. The zero-width
// joiner is allowed: emoji contain it, and it does not move the cursor.
export const ACTS_ON_TERMINALS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?!\u200d)\p{Cf}/gu

/** The same without line ends and tabs: a call for each line would take longer than the search. */
const ACTS_INSIDE_LINES = new RegExp(`(?![\\n\\t])(?:${ACTS_ON_TERMINALS.source})`, 'gu')

/** The sequences that `createColours` writes. */
const OWN_COLOURS = /(\x1b\[(?:1|2|22|3[1-36]|35|39)m)/

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line that is safe to print: control characters become visible escapes (`\n`, `\x1b`, `\u{202e}`). */
export function printable(text: string): string {
  return text.replace(ACTS_ON_TERMINALS, escaped)
}

/** Like `printable`, for several lines: line ends and tabs are kept. */
export function printableText(text: string): string {
  return text.replace(ACTS_INSIDE_LINES, escaped)
}

/** Like `printableText`, but keeps the colour sequences of `createColours`. */
export function printableColoured(text: string): string {
  return text
    .split(OWN_COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : printableText(part)))
    .join('')
}

/** The lines of a text, each `printable`; trailing empty lines are dropped, a tab becomes two spaces. */
export function printableLines(text: string): string[] {
  return text
    .replace(/\s+$/u, '')
    .split(/\r?\n/)
    .map((line) => printable(line.replaceAll('\t', '  ')))
}

function escaped(character: string): string {
  const short = SHORT[character]
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}
