import { cleanText } from './cleanText.js'
import { formatOfHints, formatOfLine, type Format } from './formats.js'
import type { AttachedText, CleanText, FormatPart, NodePart } from './model.js'

/** Lines of a text in which its format is looked for: tools print warnings before. */
const headLines = 60

/**
 * Reads a text of a node by its content: the name of its file and the command only say what the content does not, such as the
 * family of rules. Undefined if it is of none of the formats. It never throws.
 */
export function readNodeText(attached: AttachedText): NodePart | undefined {
  const { clean, problems } = cleanText(attached)
  const format = formatOf(clean) ?? formatOfHints(clean)
  if (format === undefined) {
    const failed = problems.filter(({ message }) => message.startsWith('the collector'))
    if (failed.length === 0) return undefined
    return { format: 'error of a collector', lost: [], problems: failed }
  }
  const { elsewhere } = clean.hints
  if (elsewhere !== undefined) {
    const lost = [`the command ran ${elsewhere}: it shows nothing of the node's own network namespace`]
    return { format: format.name, lost, problems }
  }
  const part = readFormat(format, clean)
  return part && { ...part, format: part.format ?? format.name, problems: [...problems, ...part.problems] }
}

/** A text that only begins like one of the format has a problem. */
function readFormat({ name, read }: Format, clean: CleanText): FormatPart | undefined {
  try {
    return read(clean)
  } catch (error) {
    const message = `it begins like the output of "${name}", and could not be read: ${error instanceof Error ? error.message : String(error)}`
    return { lost: [], problems: [{ line: clean.first, message }] }
  }
}

function formatOf({ lines }: CleanText): Format | undefined {
  let seen = 0
  for (const line of lines) {
    if (line === '') continue
    const format = formatOfLine(line)
    if (format !== undefined) return format
    if (++seen >= headLines) return undefined
  }
  return undefined
}
