import type { Json } from './json.js'
import { isUsualText, maxUsualDepth } from './usual.js'

/**
 * The value of a text that is one JSON object, if it is certain that the exact reader gets the same value from it;
 * otherwise undefined. A duplicate key, which `JSON.parse` accepts, is found by counting keys.
 */
export function jsonValue(text: string): Exclude<Json, null> | undefined {
  if (!text.startsWith('{') || !isUsualText(text)) return undefined
  const keys = countKeys(text)
  const value = keys === undefined ? undefined : parsed(text)
  return value !== undefined && countOf(value, 0) === keys ? value : undefined
}

function parsed(text: string): Exclude<Json, null> | undefined {
  try {
    return JSON.parse(text) as Exclude<Json, null>
  } catch {
    return undefined
  }
}

/** The number of strings that are followed by a colon; undefined if a line ends between them, which YAML rejects. */
function countKeys(text: string): number | undefined {
  let keys = 0
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = text.indexOf('"', start + 1)
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
    if (end < 0) return undefined
    let next = end + 1
    while (text[next] === ' ') next++
    if (text[next] === ':') keys++
    else if (text[next] === '\n' && /\s*:/y.test(text.slice(next, next + 1000))) return undefined
    start = text.indexOf('"', end + 1)
  }
  return keys
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === '\\') before--
  return (at - before) % 2 === 0
}

/** The number of keys in a value; NaN if YAML reads a number in it differently (-0, a rounded integer), or it is too deep. */
function countOf(value: Json, depth: number): number {
  if (typeof value === 'number')
    return Object.is(value, -0) || Math.abs(value) > Number.MAX_SAFE_INTEGER ? NaN : 0
  if (value === null || typeof value !== 'object') return 0
  if (depth > maxUsualDepth) return NaN
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value) keys += countOf(item, depth + 1)
    return keys
  }
  for (const item of Object.values(value)) keys += 1 + countOf(item, depth + 1)
  return keys
}
