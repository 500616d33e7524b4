/** ASCII characters of the same width for the symbols that vethlab prints. */
const symbols: Readonly<Record<string, string>> = {
  '✔': '+',
  '✖': 'x',
  '✓': '+',
  '✗': 'x',
  '’': "'",
  '“': '"',
  '”': '"',
  '−': '-',
  '⇒': '>',
  '›': '>',
  '◀': '<',
  '↳': '`',
  '–': '-',
  '—': '-',
  '…': '~',
  '→': '>',
  '←': '<',
  '↔': '=',
  '↓': 'v',
  '↑': '^',
  '×': 'x',
  '≥': '>',
  '·': '.',
  '•': '*',
  '▶': '>',
  '▸': '>',
  '─': '-',
  '━': '=',
  '│': '|',
  '┌': '+',
  '┐': '+',
  '└': '+',
  '┘': '+',
  '├': '+',
  '┤': '+',
  '┬': '+',
  '┴': '+',
  '┼': '+',
}

const symbol = new RegExp(`[${Object.keys(symbols).join('')}]`, 'gu')

/** Text with ASCII characters for symbols; names and other text from files are not changed. */
export function asciiSymbols(text: string): string {
  return text.replace(symbol, (character) => symbols[character] ?? character)
}

/**
 * Whether the user's locale (LC_ALL, LC_CTYPE, LANG, the first that is set) has no Unicode: `C`, `POSIX`, or another
 * charset than UTF-8. Without a locale, symbols are printed.
 */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const [locale] = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].filter(Boolean)
  if (locale === undefined) return false
  if (/^(C|POSIX)$/.test(locale)) return true
  const charset = /\.([^@]+)/.exec(locale)?.[1]
  return charset !== undefined && !/^utf-?8$/i.test(charset)
}
