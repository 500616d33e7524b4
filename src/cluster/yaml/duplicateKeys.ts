import { fieldPath } from '../schema/decode.js'

/** An object or a list that is open: the keys that it has had, or the index of its item. */
interface Level {
  readonly keys?: Set<string>
  step: string | number
}

/**
 * The paths of the keys that an object of a JSON text has twice (`spec.ports[0].port`), each once, in the order of the
 * text, which `JSON.parse` must accept.
 */
export function duplicateKeys(text: string): string[] {
  const found = new Set<string>()
  const levels: Level[] = []
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ keys: new Set(), step: '' })
    else if (token === '[') levels.push({ step: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (typeof level?.step === 'number') level.step += 1
    } else if (colon !== undefined && level?.keys !== undefined) {
      level.step = JSON.parse(token.slice(0, -colon.length)) as string
      if (level.keys.has(level.step)) found.add(fieldPath(levels.map(({ step }) => step)))
      level.keys.add(level.step)
    }
  }
  return [...found]
}
