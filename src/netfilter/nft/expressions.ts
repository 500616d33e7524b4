import { bracedElements } from './elements.js'
import type { NftExpression, NftOperand } from './model.js'
import { NotNft, type NftReader } from './words.js'

/** Fields of packets that are known by name; other fields of these headers are not. */
const headers: Readonly<Record<string, readonly string[]>> = {
  ip: ['saddr', 'daddr', 'protocol', 'version', 'length', 'ttl', 'dscp', 'id', 'frag-off'],
  ip6: ['saddr', 'daddr', 'nexthdr', 'version', 'length', 'hoplimit', 'dscp', 'flowlabel'],
  tcp: ['sport', 'dport', 'flags', 'window', 'sequence'],
  udp: ['sport', 'dport', 'length'],
  sctp: ['sport', 'dport'],
  dccp: ['sport', 'dport'],
  udplite: ['sport', 'dport'],
  th: ['sport', 'dport'],
  icmp: ['type', 'code', 'id', 'sequence'],
  icmpv6: ['type', 'code', 'id', 'sequence'],
}

/** Keys of meta that nft also accepts without the word. */
const bareMeta = new Set([
  ...['mark', 'iif', 'iifname', 'iiftype', 'iifgroup', 'oif', 'oifname', 'oiftype', 'oifgroup'],
  ...['skuid', 'skgid', 'rtclassid', 'nftrace', 'l4proto', 'nfproto'],
])

const operators: Readonly<Record<string, '&' | '|' | '^'>> = {
  ...{ '&': '&', '|': '|', '^': '^', and: '&', or: '|', xor: '^' },
}

/** Whether an expression can begin with a word. */
export function beginsExpression(word: string): boolean {
  return Object.hasOwn(headers, word) || bareMeta.has(word) || ['meta', 'ct', 'fib', 'numgen'].includes(word)
}

/** Reads an expression, with its concatenations, operators and maps. Throws NotNft. */
export function readExpression(reader: NftReader): NftExpression {
  const first = binary(reader)
  const parts = [first]
  while (reader.take('.')) parts.push(binary(reader))
  const whole: NftExpression = parts.length === 1 ? first : { kind: 'concat', parts }
  return reader.take('map') ? { kind: 'map', key: whole, map: readOperand(reader) } : whole
}

/** Reads `@name`, or elements between braces. Throws NotNft. */
export function readOperand(reader: NftReader): NftOperand {
  if (reader.take('{')) return { elements: bracedElements(reader) }
  const word = reader.next()
  if (!word.startsWith('@')) throw new NotNft(`${word} is no set`)
  return { name: word.slice(1) }
}

function binary(reader: NftReader): NftExpression {
  let left = primary(reader)
  for (;;) {
    const operator = operators[reader.peek()]
    if (operator === undefined) return left
    reader.next()
    const right = primary(reader)
    // `established | related`: several flags
    left =
      operator === '|' && left.kind === 'literal' && right.kind === 'literal'
        ? { kind: 'literal', words: [...left.words, ...right.words] }
        : { kind: 'binary', operator, left, right }
  }
}

function primary(reader: NftReader): NftExpression {
  const word = reader.next()
  if (word === '(') return flags(reader)
  if (word === '{') return { kind: 'elements', set: { elements: bracedElements(reader) } }
  // not the bits of a header: @th,0,16
  if (word.startsWith('@') && reader.peek() !== ',') return { kind: 'elements', set: { name: word.slice(1) } }
  if (word === 'meta') return { kind: 'meta', key: reader.next() }
  if (bareMeta.has(word)) return { kind: 'meta', key: word }
  const fields = headers[word]
  if (fields !== undefined && fields.includes(reader.peek()))
    return { kind: 'payload', protocol: word, field: reader.next() }
  switch (word) {
    case 'ct':
      return tracked(reader)
    case 'fib':
      return fib(reader)
    case 'numgen':
      return numgen(reader)
    default:
      return literal(word)
  }
}

/** `( fin | syn )` */
function flags(reader: NftReader): NftExpression {
  const words = [reader.next()]
  while (reader.take('|')) words.push(reader.next())
  reader.expect(')')
  return { kind: 'literal', words: words.flatMap((word) => word.split('|')) }
}

function literal(word: string): NftExpression {
  if (/^[},;@]|^:$|^(?:jhash|symhash|rt|socket|osf|exthdr|ipsec|set|vmap)$/.test(word))
    throw new NotNft(`${word} is no value`)
  return { kind: 'literal', words: word.includes('|') ? word.split('|') : [word] }
}

function tracked(reader: NftReader): NftExpression {
  const word = reader.next()
  if (word !== 'original' && word !== 'reply') {
    if (word === 'count') throw new NotNft('ct count')
    return { kind: 'ct', key: word }
  }
  const key = reader.next()
  return { kind: 'ct', key: key === 'ip' || key === 'ip6' ? reader.next() : key, direction: word }
}

function fib(reader: NftReader): NftExpression {
  const inputs = [reader.next()]
  while (reader.take('.')) inputs.push(reader.next())
  return { kind: 'fib', inputs, result: reader.next() }
}

function numgen(reader: NftReader): NftExpression {
  const mode = reader.next()
  if (mode !== 'random' && mode !== 'inc') throw new NotNft(`numgen ${mode}`)
  reader.expect('mod')
  const modulus = Number(reader.next())
  return { kind: 'numgen', mode, modulus, offset: reader.take('offset') ? Number(reader.next()) : 0 }
}
