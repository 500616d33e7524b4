/** A piece of a text: literal characters, or the expression between two braces. */
export type Piece =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'name'; readonly name: string }

/** A problem with the braces of a text. */
export interface BraceProblem {
  readonly problem: string
  readonly hint?: string | undefined
}

/** What is allowed between braces: names, selectors, `namespace/name`, `.suffix`. */
const expression = /^[A-Za-z0-9][A-Za-z0-9._/=,@-]*$/
const literalHint = 'a literal brace is written {{'

/** Splits a text at its `{names}`; `{{` is a literal brace, and a lone `}` is itself. */
export function splitBraces(text: string): readonly Piece[] | BraceProblem {
  const pieces: Piece[] = []
  let literal = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character !== '{') {
      literal += character
    } else if (text.charAt(index + 1) === '{') {
      literal += '{'
      index += 1
    } else {
      const end = text.indexOf('}', index)
      if (end === -1) return { problem: `the brace in "${shorten(text)}" is never closed`, hint: literalHint }
      const name = text.slice(index + 1, end)
      if (!expression.test(name))
        return { problem: `"{${shorten(name)}}" is not a name in braces`, hint: literalHint }
      pieces.push({ kind: 'text', text: literal }, { kind: 'name', name })
      literal = ''
      index = end
    }
  }
  return [...pieces, { kind: 'text', text: literal }]
}

/** True when `splitBraces` could not parse the text. */
export function isBraceProblem(result: readonly Piece[] | BraceProblem): result is BraceProblem {
  return 'problem' in result
}

/** A text, shortened for messages. */
export function shorten(text: string, length = 60): string {
  const oneLine = text.replaceAll(/\s+/g, ' ')
  return oneLine.length <= length ? oneLine : `${oneLine.slice(0, length - 1)}…`
}
