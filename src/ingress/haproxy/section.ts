/** A section of HAProxy's configuration: its name, and its lines, each of words as HAProxy is to see them. */
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

/** In single quotes HAProxy takes everything as it is, up to the next one; the empty first word indents. */
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
 * A text in a place that is read as a log format: nothing of it is taken for an expression. What is more than plain
 * goes percent-encoded into one that decodes it, as neither quotes nor spaces survive all the ways a format is read.
 */
export function formatText(text: string): string {
  if (/^[\w./:=@,;+-]+( [\w./:=@,;+-]+)*$/.test(text)) return text
  if (text === '') return ''
  const encoded = [...Buffer.from(text)]
    .map((byte) => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join('')
  return `%[str(${encoded}),url_dec]`
}

/** A path in a log format, percent-encoded where a request's has to be. */
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
