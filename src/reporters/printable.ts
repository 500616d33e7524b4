// Everything that acts on a terminal instead of standing on it: control characters (C0, DEL, C1), line and
// paragraph separators, bidirectional overrides and other format characters, lone surrogates, non-characters.
// The zero-width joiner stays: emoji are made with it and it moves nothing.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?!\u200d)\p{Cf}/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line that is safe to print: characters that act on a terminal stand as visible escapes (`\n`, `\x1b`, `\u{202e}`). */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** The lines of a text, each made `printable`; trailing empty lines are dropped, a tab becomes two spaces. */
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
