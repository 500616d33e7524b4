import type { NftElement, NftElements, NftVerdict } from './model.js'
import { NotNft, type NftReader } from './words.js'

/** Reads an element as nft lists it: `10.96.0.10 . tcp . 80 comment "ns/svc" : goto service-…`. */
export function readElement(text: string): NftElement {
  const [, key = text, value] = /^((?:"[^"]*"|[^"])*?)(?: : (.*))?$/.exec(text.trim()) ?? []
  // what follows the key: comment, timeout, expires, counter
  const [, own = key] =
    /^(.*?)(?: (?:comment|timeout|expires|counter|limit|quota|size|last)\b.*)?$/.exec(key) ?? []
  return elementOf(own.split(' . '), value)
}

/** Elements as a table that finds those of one value quickly. */
export function elementsOf(all: Iterable<NftElement>): NftElements {
  const exact = new Map<string, NftElement>()
  const ranges: NftElement[] = []
  for (const element of all) {
    if (element.key.every((part) => !isRange(part))) exact.set(keyText(element.key), element)
    else ranges.push(element)
  }
  return { exact, ranges }
}

/** The text by which `exact` finds an element. */
export function keyText(key: readonly string[]): string {
  return key.map(plain).join(' . ')
}

/** All elements of a set or map. */
export function* allElements({ exact, ranges }: NftElements): Generator<NftElement> {
  yield* exact.values()
  yield* ranges
}

/** Reads elements between braces, the first of which was read. */
export function bracedElements(reader: NftReader): NftElements {
  const all: NftElement[] = []
  while (!reader.take('}')) {
    const key: string[] = [elementPart(reader)]
    while (reader.take('.')) key.push(elementPart(reader))
    const value: string[] = []
    if (reader.take(':')) while (![',', '}'].includes(reader.peek())) value.push(reader.next())
    all.push(elementOf(key, value.length === 0 ? undefined : value.join(' ')))
    if (!reader.take(',') && reader.peek() !== '}') throw new NotNft(`found ${reader.peek()} in a set`)
  }
  return elementsOf(all)
}

/** A part of a key; several flags are one part. */
function elementPart(reader: NftReader): string {
  const words = [reader.next()]
  while (reader.take('|')) words.push(reader.next())
  return words.join('|')
}

/** Reads `accept`, `jump CHAIN`; undefined for other text. */
export function readVerdict(text: string): NftVerdict | undefined {
  const [kind = '', chain] = text.split(' ')
  switch (kind) {
    case 'accept':
    case 'drop':
    case 'return':
    case 'continue':
    case 'queue':
      return { kind }
    case 'jump':
    case 'goto':
      return chain === undefined ? undefined : { kind, chain }
    default:
      return undefined
  }
}

function elementOf(key: readonly string[], value: string | undefined): NftElement {
  const parts = key.map((part) => part.trim())
  return { key: parts, text: parts.join(' . '), ...(value === undefined ? {} : { value }) }
}

/** Whether a part of a key holds for more than one value. */
function isRange(part: string): boolean {
  // a value that is not known
  if (part === '?') return true
  if (part.startsWith('"')) return part.endsWith('*"')
  return /[-/*]/.test(part) && /^[\d*]|:|^0x/.test(part)
}

/** Names without quotes, numbers in decimal. */
function plain(part: string): string {
  if (part.startsWith('"')) return part.slice(1, -1)
  return /^0x[0-9a-f]+$/.test(part) ? String(Number(part)) : part
}
