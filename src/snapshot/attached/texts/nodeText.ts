import { cleanText } from './cleanText.js'
import { formatOfLine, type Format } from './formats.js'
import type { AttachedText, CleanText, NodePart } from './model.js'

/** Lines of a text in which its format is looked for: tools print warnings before. */
const headLines = 60

/**
 * Reads a text of a node by its content: the name of its file and the command only say what the content does not, such as the
 * family of rules. Undefined if it is of none of the formats. It never throws.
 */
export function readNodeText(attached: AttachedText): NodePart | undefined {
  const { clean, problems } = cleanText(attached)
  const format = formatOf(clean)
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
  const { format: name = format.name, ...part } = format.read(clean)
  return { format: name, ...part, problems: [...problems, ...part.problems] }
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
