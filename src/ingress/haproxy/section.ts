/** A section of HAProxy's configuration: its name and its lines, as unquoted words. */
export interface Section {
  readonly head: readonly string[]
  readonly lines: readonly Line[]
}

export type Line = readonly (string | number)[]

/** Sections as text, with an empty line between them. */
export function renderSections(sections: readonly Section[]): string {
  return sections
    .map(({ head, lines }) => [head, ...lines.map((words) => ['', ...words])].map(renderLine).join(''))
    .join('\n')
}

/** In single quotes all characters are literal; an empty first word indents the line. */
function renderLine(words: Line): string {
  const [first = '', ...rest] = words.map(String)
  const indent = first === '' ? '  ' : `${first}${rest.length > 0 ? ' ' : ''}`
  return `${indent}${rest.map(quote).join(' ')}\n`
}

function quote(word: string): string {
  if (/^[\w./:=@,(){}<>%[\]!*+-]+$/.test(word)) return word
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * A literal text in a log format. Text with special characters is percent-encoded inside an expression that decodes it,
 * because quotes and spaces are not preserved in all formats.
 */
export function formatText(text: string): string {
  if (/^[\w./:=@,;+-]+( [\w./:=@,;+-]+)*$/.test(text)) return text
  if (text === '') return ''
  const encoded = [...Buffer.from(text)]
    .map((byte) => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join('')
  return `%[str(${encoded}),url_dec]`
}

/** A path in a log format, percent-encoded as in a request. */
export function formatPath(path: string): string {
  const encoded = [...Buffer.from(path)]
    .map((byte) =>
      /[\w/.~!$&()*+,;=:@-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte),
    )
    .join('')
  return encoded.replaceAll('%', '%%')
}

function hex(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
