import type { Json, JsonObject } from './json.js'
import { maxUsualDepth, plainStart, Unusual, type Scalar, type ToScalar } from './usual.js'

const inWord = String.raw`[^ \n,[\]{}:#"']`
const word = String.raw`(?:[${plainStart}]|-(?=${inWord}))(?:${inWord}|:(?=[^ \n,[\]{}])| +(?=${inWord}))*`
const token = new RegExp(
  String.raw`[ \n]*(?:([[\]{},])|"([^"\\]*)"|'([^']*)'|(${word}))(:[ \n]+)?[ \n]*`,
  'y',
)

interface Token {
  /** One of `[]{},`; undefined for a scalar. */
  readonly mark: string | undefined
  readonly scalar: Scalar
  /** True for a scalar with a colon. */
  readonly isKey: boolean
}

/** The value of a flow collection whose scalars are each on one line, without escapes; throws Unusual for any other text. */
export function flowValue(text: string, toScalar: ToScalar): Json {
  let at = 0
  const next = (): Token => {
    token.lastIndex = at
    const match = token.exec(text)
    if (match === null) throw new Unusual()
    at = token.lastIndex
    const [, mark, double, single, plain, colon] = match
    if (mark !== undefined && colon !== undefined) throw new Unusual()
    const scalar = plain === undefined ? (double ?? single ?? null) : toScalar(plain)
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
    for (let one = next(); one.mark !== ']'; one = next()) {
      items.push(value(one, depth + 1))
      if (ends(next(), ']')) break
    }
    return items
  }
  const mapping = (depth: number): JsonObject => {
    const fields: JsonObject = {}
    for (let one = next(); one.mark !== '}'; one = next()) {
      const key = String(one.scalar)
      if (!one.isKey || one.scalar === null || key === '__proto__' || Object.hasOwn(fields, key))
        throw new Unusual()
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
