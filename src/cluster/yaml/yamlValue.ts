import { parseDocuments } from './documents.js'
import type { Json } from './json.js'
import { parseJson } from './limits.js'

/** The value of a text that is one document of JSON or YAML; null if it is empty. Throws SyntaxError. */
export function yamlValue(text: string, tokens?: number): Json {
  const json = text.startsWith('{') ? jsonOf(text) : undefined
  if (json !== undefined) return json
  const { documents, problems } = parseDocuments('', text, tokens)
  const [problem] = problems
  if (problem !== undefined) {
    const { message, at } = problem
    throw new SyntaxError(at === undefined ? message : `${message} (line ${at.line}, column ${at.column})`)
  }
  if (documents.length > 1) throw new SyntaxError(`${documents.length} documents instead of one`)
  return documents[0]?.value ?? null
}

/** Undefined for a text that is not JSON: it may be YAML in brackets. */
function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
