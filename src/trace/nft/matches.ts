import { allElements, keyText } from '../../netfilter/nft/elements.js'
import type { NftComparison, NftElement, NftElements, NftExpression } from '../../netfilter/nft/model.js'
import { addressBetween, networkHolds, parseNetwork } from '../../net/address.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { Holds } from '../model/steps.js'
import { no, unknown, yes, type Answer } from '../rules/answer.js'
import type { Seen } from '../rules/seen.js'
import { overlap } from '../rules/matchTransport.js'
import { tcpFlags, valueOf, type NftValue } from './values.js'

/** Whether a comparison holds; `elements` are those of the set on its right side, if there is one. */
export function compareNft(
  value: NftValue,
  operator: NftComparison,
  right: NftExpression,
  elements: NftElements | undefined,
  seen: Seen,
): Answer {
  if (value.kind === 'absent') return no(value.says)
  if (value.kind === 'unknown') return unknown(value.says)
  const isNegated = operator === '!=' || operator === '!'
  const holds = holdsFor(value, operator, right, elements, seen)
  if (holds === 'unknown') return unknown(value.says)
  return (holds === 'yes') !== isNegated ? yes : no(value.says)
}

function holdsFor(
  value: NftValue,
  operator: NftComparison,
  right: NftExpression,
  elements: NftElements | undefined,
  seen: Seen,
): Holds {
  if (right.kind === 'elements') {
    if (elements === undefined) return 'unknown'
    const found = lookUp(value, elements)
    return found.element !== undefined ? 'yes' : found.possible.length > 0 ? 'unknown' : 'no'
  }
  if (right.kind !== 'literal') {
    const other = valueOf(right, seen)
    if (value.kind !== 'one' || other.kind !== 'one') return 'unknown'
    return ordered(Number(value.text), operator, Number(other.text))
  }
  const { words } = right
  if (value.kind === 'flags') return flagsHold(value, operator, words)
  const [word = ''] = words
  if (['<', '>', '<=', '>='].includes(operator)) {
    const bound = Number(word)
    if (Number.isNaN(bound)) return 'unknown'
    if (value.kind === 'range') return ordersRange(value.range, operator, bound)
    return value.kind === 'one' ? ordered(Number(value.text), operator, bound) : 'unknown'
  }
  return words.length === 1 ? partHolds(value, word) : 'unknown'
}

/** Flags of which one is enough (`tcp flags syn,ack`), or exactly these: `tcp flags == syn`, `tcp flags != syn`. */
function flagsHold(value: FlagsValue, operator: NftComparison, words: readonly string[]): Holds {
  const wanted = words.flatMap((word) => flagsOf(word, value))
  if (wanted.includes(undefined)) return 'unknown'
  const isAny = operator === 'is' || operator === '!'
  if (isAny && wanted.length > 0)
    return wanted.some((flag) => value.flags.includes(flag ?? '')) ? 'yes' : 'no'
  const isSame =
    wanted.length === value.flags.length && wanted.every((flag) => value.flags.includes(flag ?? ''))
  return isSame && value.open === true ? 'unknown' : isSame ? 'yes' : 'no'
}

type FlagsValue = Extract<NftValue, { readonly kind: 'flags' }>

/** The flags that a word stands for: its own name, none for 0; undefined for those that are not known. */
function flagsOf(word: string, { known }: FlagsValue): readonly (string | undefined)[] {
  if (known.includes(word)) return [word]
  const number = word === '' ? NaN : Number(word)
  if (number === 0) return []
  const isTcp = known.every((flag) => (tcpFlags as readonly string[]).includes(flag))
  if (!isTcp || !Number.isInteger(number) || number > 255) return [undefined]
  return tcpFlags.filter((_, bit) => (number & (1 << bit)) !== 0)
}

/** What a lookup finds: an element, or those that it may find because a port can be several. */
export interface Found {
  readonly element?: NftElement | undefined
  readonly possible: readonly NftElement[]
}

/** Looks a value up in the elements of a set or map. */
export function lookUp(value: NftValue, elements: NftElements): Found {
  const parts = value.kind === 'parts' ? value.parts : [value]
  if (parts.some(({ kind }) => kind === 'absent')) return { possible: [] }
  const texts = parts.map((part) =>
    part.kind === 'one'
      ? part.text
      : part.kind === 'flags' && part.flags.length === 1 && part.open !== true
        ? part.flags[0]
        : undefined,
  )
  const isExact = texts.every((text) => text !== undefined)
  const exact = isExact ? elements.exact.get(keyText(texts)) : undefined
  if (exact !== undefined) return { element: exact, possible: [] }
  const possible: NftElement[] = []
  for (const element of isExact ? elements.ranges : allElements(elements)) {
    const holds = parts.map((part, index) => partHolds(part, element.key[index] ?? ''))
    if (holds.includes('no')) continue
    if (!holds.includes('unknown')) return { element, possible: [] }
    possible.push(element)
  }
  return { possible }
}

/** Whether a value is the one that a word means: a value, a range, a network, a name with `*` at its end. */
export function partHolds(value: NftValue, word: string): Holds {
  if (word === '?') return 'unknown'
  switch (value.kind) {
    // an element of a set has all flags of the packet, and no others
    case 'flags':
      return flagsHold(value, '==', word.split(/ ?[|,] ?/))
    case 'range': {
      const range = rangeOf(word)
      return range === undefined ? 'unknown' : overlap(range, value.range)
    }
    case 'one':
      if (isOne(value.text, word)) return 'yes'
      // a number by a name that is not known
      return /^\d+$/.test(value.text) && /^"?[a-z]/i.test(word) ? 'unknown' : 'no'
    default:
      return 'unknown'
  }
}

/** Names that nft lists for what a prediction calls differently. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  ...{ tcp: ['6'], udp: ['17'], sctp: ['132'], icmp: ['1'], 'ipv6-icmp': ['58', 'icmpv6'] },
  ...{ 'echo-request': ['8', '128'], 'echo-reply': ['0', '129'], ipv4: ['2'], ipv6: ['10'] },
  ...{ '': ['missing', '0'], host: ['unicast', '0'] },
}

function isOne(text: string, word: string): boolean {
  if (word.startsWith('"') || word.endsWith('*')) {
    const name = word.replaceAll('"', '')
    return name.endsWith('*') ? text.startsWith(name.slice(0, -1)) : text === name
  }
  if (text === word || word === '*') return true
  if (aliases[text]?.includes(word) === true) return true
  if (word === 'exists') return text !== ''
  if (/^\d+$/.test(text)) {
    const range = rangeOf(word)
    return range !== undefined && overlap(range, { first: Number(text), last: Number(text) }) === 'yes'
  }
  if (word.includes('/')) {
    const network = parseNetwork(word)
    return network !== undefined && networkHolds(network, text)
  }
  const [first = '', last] = word.split('-')
  return last !== undefined && addressBetween(text, first, last)
}

/** `80`, `80-90`, `0x50`; undefined for other words. */
export function rangeOf(word: string): Range | undefined {
  const [first = '', last = first] = word.split('-')
  const numbers = { first: Number(first), last: Number(last) }
  return first === '' || Number.isNaN(numbers.first) || Number.isNaN(numbers.last) ? undefined : numbers
}

function ordered(value: number, operator: NftComparison, bound: number): Holds {
  if (Number.isNaN(value) || Number.isNaN(bound)) return 'unknown'
  const isSo = {
    ...{ is: value === bound, '!': value === bound, '==': value === bound, '!=': value === bound },
    ...{ '<': value < bound, '>': value > bound, '<=': value <= bound, '>=': value >= bound },
  }[operator]
  return isSo ? 'yes' : 'no'
}

function ordersRange({ first, last }: Range, operator: NftComparison, bound: number): Holds {
  const [low, high] = [first, last].map((value) => ordered(value, operator, bound))
  return low === high && low !== undefined ? low : 'unknown'
}
