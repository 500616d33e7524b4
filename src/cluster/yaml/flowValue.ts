import type { Json, JsonObject } from './json.js'
import { plainScalar } from './scalars.js'
import { maxUsualDepth, Unusual } from './usual.js'

const token =
  / *(?:([[\]{},])|"([^"\\]*)"|'([^']*)'|((?:[A-Za-z0-9_./]|-(?=\d))(?:[\w./-]|:{1,2}(?=\w))*))(: +)? */y

interface Token {
  /** One of `[]{},`; undefined for a scalar. */
  readonly mark: string | undefined
  readonly scalar: string | number | boolean | null
  /** True for a scalar with a colon. */
  readonly isKey: boolean
}

/** The value of a flow collection on one line, of words, numbers and quoted text; throws Unusual for any other text. */
export function flowValue(text: string): Json {
  let at = 0
  const next = (): Token => {
    token.lastIndex = at
    const match = token.exec(text)
    if (match === null) throw new Unusual()
    at = token.lastIndex
    const [, mark, double, single, plain, colon] = match
    if (mark !== undefined && colon !== undefined) throw new Unusual()
    const scalar = plain === undefined ? (double ?? single ?? null) : plainScalar(plain)
    return { mark, scalar, isKey: colon !== undefined }
  }
  const value = ({ mark, scalar, isKey }: Token, depth: number): Json => {
    if (isKey || depth > maxUsualDepth) throw new Unusual()
    if (mark === undefined) return scalar
    if (mark === '[') return list(depth)
    if (mark === '{') return mapping(depth)
    throw new Unusual()
  }
  const list = (depth: number): Json[] => {
    const items: Json[] = []
    for (let one = next(); one.mark !== ']' || items.length > 0; one = next()) {
      items.push(value(one, depth + 1))
      if (ends(next(), ']')) break
    }
    return items
  }
  const mapping = (depth: number): JsonObject => {
    const fields: JsonObject = {}
    for (let one = next(), first = true; one.mark !== '}' || !first; one = next(), first = false) {
      const key = String(one.scalar)
      if (!one.isKey || key === '__proto__' || Object.hasOwn(fields, key)) throw new Unusual()
      fields[key] = value(next(), depth + 1)
      if (ends(next(), '}')) break
    }
    return fields
  }
  const result = value(next(), 0)
  if (at !== text.length) throw new Unusual()
  return result
}

function ends({ mark }: Token, end: ']' | '}'): boolean {
  if (mark !== end && mark !== ',') throw new Unusual()
  return mark === end
}
