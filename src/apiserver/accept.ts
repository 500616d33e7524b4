/** One media range of an Accept header, with its parameters; `q` is already applied to the order. */
export interface MediaRange {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The media ranges of an Accept header, most preferred first; without a header, any type is acceptable. */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header.trim() === '') return [{ type: '*/*', parameters: {} }]
  return header
    .split(',')
    .map((clause) => {
      const [type = '', ...rest] = clause.split(';').map((part) => part.trim())
      const parameters = Object.fromEntries(rest.map(parameter))
      const { q = '1', ...others } = parameters
      return { range: { type: type.toLowerCase(), parameters: others }, q: Number(q) }
    })
    .filter(({ range, q }) => range.type !== '' && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ range }) => range)
}

function parameter(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 0) return [text.toLowerCase(), '']
  return [
    text.slice(0, equals).trim().toLowerCase(),
    text
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1'),
  ]
}

/** Whether a media range includes JSON. */
export function acceptsJson(range: MediaRange): boolean {
  return ['application/json', 'application/*', '*/*'].includes(range.type)
}

/** Media type of objects in YAML. */
export const yamlType = 'application/yaml'

/** Whether a client prefers objects in YAML to those in JSON. */
export function prefersYaml(accept: string | undefined): boolean {
  return parseAccept(accept).find((range) => acceptsJson(range) || range.type === yamlType)?.type === yamlType
}
