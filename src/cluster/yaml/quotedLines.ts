import { visit, type Document } from 'yaml'

/**
 * The text with more spaces before further lines of its quoted scalars, where they have fewer than YAML requires: the parser that
 * Kubernetes uses takes any number of them, and they have no meaning. Undefined if that is not why a document is wrong.
 */
export function withIndentedQuotes(text: string, documents: readonly Document[]): string | undefined {
  const starts = documents.flatMap(cutQuotes)
  // from the end, so that the offsets before stay right
  const indented = starts.reduceRight((made, start) => indentFrom(made, start), text)
  return indented === text ? undefined : indented
}

/** Where the quoted scalar begins that the parser ended without its quote, if that is the first error. */
function cutQuotes({ errors: [first], contents }: Document): number[] {
  if (first === undefined || !/^Missing closing ['"]quote/.test(first.message)) return []
  const starts: number[] = []
  visit(contents, {
    Scalar(_, { range }) {
      if (range?.[1] === first.pos[0]) starts.push(range[0])
    },
  })
  return starts
}

/** The text with at least one more space before each line of a quoted scalar than before its first one. */
function indentFrom(text: string, start: number): string {
  const scalar = text.startsWith("'", start) ? /'(?:[^']|'')*'/y : /"(?:[^"\\]|\\[^])*"/y
  scalar.lastIndex = start
  const quoted = scalar.exec(text)?.[0]
  if (quoted === undefined) return text
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start)
  const least = /^[ -]*/.exec(before)?.[0].length ?? 0
  const indented = quoted.replace(/\n( *)(?=[^\s])/g, (line, spaces: string) =>
    spaces.length > least ? line : `\n${' '.repeat(least + 1)}`,
  )
  return text.slice(0, start) + indented + text.slice(start + quoted.length)
}
