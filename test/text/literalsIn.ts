/**
 * The texts of a source file of TypeScript: its strings and templates, with NUL in place of what is inserted. Not those of imports and
 * comments, and no regular expressions.
 */
export function literalsIn(source: string): string[] {
  const found: string[] = []
  let at = 0
  const quoted = (quote: string): string => {
    let text = ''
    for (at++; at < source.length && source[at] !== quote; at++) {
      if (source[at] === '\\') text += source[++at] === 'n' ? '\n' : (source[at] ?? '')
      else if (quote === '`' && source.startsWith('${', at)) {
        at += 2
        code('}')
        text += '\0'
      } else text += source[at] ?? ''
    }
    return text
  }
  const skip = (what: RegExp): boolean => {
    what.lastIndex = at
    const length = what.exec(source)?.[0].length ?? 0
    at += Math.max(0, length - 1)
    return length > 0
  }
  /** Reads up to the brace that ends what is inserted into a template, or the whole file. */
  const code = (end?: '}'): void => {
    for (let depth = 0; at < source.length; at++) {
      if (skip(comment) || (mayBeginRegex.test(source.slice(Math.max(0, at - 30), at)) && skip(regex)))
        continue
      const one = source[at] ?? ''
      if (`'"\``.includes(one)) found.push(quoted(one))
      else if (one === '{') depth++
      else if (one === '}' && depth-- === 0 && end === '}') return
    }
  }
  code()
  return found
}

const comment = /\/\/.*|\/\*[^]*?\*\/|import .*|\} from '.*/y
const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
const mayBeginRegex = /(?:^|[(,=:?&|!{}[;>]|\b(?:return|in|of|case|typeof))\s*$/
