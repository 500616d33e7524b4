/** Something that is wrong with a line of a text, counted from 1. */
export interface FieldProblem {
  readonly line: number
  readonly message: string
}

/** Lines of a YAML text in block style that a message of the API is about: it names fields, or lines. */
export function fieldProblems(text: string, message: string): FieldProblem[] {
  if (message === '') return []
  const [, line] = /\bline (\d+)\b/.exec(message) ?? []
  if (line !== undefined) return [{ line: Number(line), message }]
  const paths = message.match(/[a-z]\w*(?:\.[\w/-]+|\[[^\]]*\])+/gi) ?? []
  return [...new Set(paths)].flatMap((path): FieldProblem[] => {
    const found = lineOfField(text, path)
    return found === undefined ? [] : [{ line: found, message: messageOf(path, message) }]
  })
}

/** The part of a message that is about a field: the API lists several in brackets. */
function messageOf(path: string, message: string): string {
  const from = message.indexOf(path)
  const end = /, (?=[a-z]\w*(?:\.[\w/-]+|\[[^\]]*\])+: )|\]$/i.exec(message.slice(from))
  return message.slice(from, end === null ? undefined : from + end.index)
}

/** The line of a field, such as `spec.ports[0].port`, or of the nearest field above it that the text has; undefined if it has none. */
export function lineOfField(text: string, path: string): number | undefined {
  const wanted = path.replaceAll(/\[([^\]]*)\]/g, '.$1').split('.')
  let found: number | undefined
  let depth = 0
  for (const { line, keys } of fieldsOf(text))
    if (keys.length <= wanted.length && keys.length > depth && keys.every((key, at) => key === wanted[at])) {
      found = line
      depth = keys.length
    }
  return found
}

interface Level {
  readonly indent: number
  readonly key: string
}

/** Every field of a text in block style with its path: names, and numbers of items. */
function fieldsOf(text: string): { readonly line: number; readonly keys: readonly string[] }[] {
  let open: Level[] = []
  const items = new Map<string, number>()
  return text.split('\n').flatMap((content, index) => {
    const found = []
    let indent = content.search(/\S/)
    let rest = content.trim()
    // items are indented as their field, or more
    while (/^-(\s|$)/.test(rest)) {
      const at = indent
      open = open.filter((level) => level.indent < at || (level.indent === at && !/^\d+$/.test(level.key)))
      const list = open.map(({ key }) => key).join('.')
      const number = (items.get(list) ?? -1) + 1
      items.set(list, number)
      open = [...open, { indent: at, key: String(number) }]
      found.push({ line: index + 1, keys: open.map(({ key }) => key) })
      const item = rest.slice(1)
      indent += 1 + item.search(/\S|$/)
      rest = item.trim()
    }
    const [, key] = /^["']?([^\s"'#][^"':]*)["']?:(?:\s|$)/.exec(rest) ?? []
    if (key === undefined) return found
    open = [...open.filter((level) => level.indent < indent), { indent, key }]
    return [...found, { line: index + 1, keys: open.map((level) => level.key) }]
  })
}
