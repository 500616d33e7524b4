import { splitWords } from '../netfilter/rules/words.js'
import { printable } from '../text/printable.js'

/** A rule of iptables, printable, in pieces between which a line may break: an option and its value are one piece. */
export function optionsOf(spec: string): string[] {
  const pieces: string[] = []
  let negated = false
  for (const word of splitWords(spec)) {
    const begins = !negated && (word === '!' || word.startsWith('-'))
    if (begins || pieces.length === 0) pieces.push(word)
    else pieces[pieces.length - 1] += ` ${word}`
    negated = word === '!'
  }
  return pieces.map(printable)
}

/** True for a rule of iptables; rules of nft have no options. */
export function isOfIptables(spec: string): boolean {
  return spec.startsWith('-') || spec.startsWith('! -')
}
