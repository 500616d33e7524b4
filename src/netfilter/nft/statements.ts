import { readVerdict } from './elements.js'
import { beginsExpression, readExpression, readOperand } from './expressions.js'
import type { NftComparison, NftExpression, NftStatement } from './model.js'
import type { Rate } from '../rules/formats.js'
import { NftReader, NotNft, nftWords } from './words.js'

/**
 * Reads a rule as `nft list` shows it, or as programs write it; without its chain. What this version does not know is kept as a
 * statement `unknown`: all words up to those that are statements to the end of the rule.
 */
export function parseNftRule(text: string): NftStatement[] {
  const reader = new NftReader(nftWords(text))
  const statements: NftStatement[] = []
  while (!reader.ended) {
    const start = reader.at
    try {
      statements.push({ ...statement(reader), text: reader.since(start) })
    } catch (error) {
      if (!(error instanceof NotNft)) throw error
      const rest = knownRest(reader.words, start + 1)
      reader.at = rest.at
      statements.push({ kind: 'unknown', text: reader.since(start) }, ...rest.statements)
      return statements
    }
  }
  return statements
}

/** The longest end of a rule that has only known statements. */
function knownRest(
  words: readonly string[],
  from: number,
): { readonly at: number; readonly statements: readonly NftStatement[] } {
  for (let at = from; at < words.length; at++) {
    const reader = new NftReader(words)
    reader.at = at
    const statements = readAll(reader)
    if (statements !== undefined) return { at, statements }
  }
  return { at: words.length, statements: [] }
}

/** All statements up to the end; undefined if one is not known. */
function readAll(reader: NftReader): NftStatement[] | undefined {
  const statements: NftStatement[] = []
  try {
    while (!reader.ended) {
      const start = reader.at
      statements.push({ ...statement(reader), text: reader.since(start) })
    }
    return statements
  } catch (error) {
    if (!(error instanceof NotNft)) throw error
    return undefined
  }
}

/** A rule as text in which different versions of nft agree: for comparisons. */
export function canonicalNftRule(text: string): string {
  return nftWords(
    text.replace(/ comment "[^"]*"$/, '').replace(/\b([ds]nat ip6?) addr \. port to\b/, '$1 to'),
  )
    .map((word) => (/^0x[0-9a-f]+$/.test(word) ? String(Number(word)) : word))
    .join(' ')
}

type Read = NftStatement extends infer Statement
  ? Statement extends unknown
    ? Omit<Statement, 'text'>
    : never
  : never

function statement(reader: NftReader): Read {
  const word = reader.peek()
  if (['jump', 'goto'].includes(word)) {
    const verdict = readVerdict(`${reader.next()} ${reader.next()}`)
    if (verdict !== undefined) return { kind: 'verdict', verdict }
  }
  switch (word) {
    case 'accept':
    case 'drop':
    case 'return':
    case 'continue':
      reader.next()
      return { kind: 'verdict', verdict: { kind: word } }
    case 'queue':
      reader.at = reader.words.length
      return { kind: 'verdict', verdict: { kind: word } }
    case 'comment':
      reader.at += 2
      return { kind: 'passing' }
    case 'counter':
      return counter(reader)
    case 'log':
      return log(reader)
    case 'flow':
      reader.at += 3
      return { kind: 'passing' }
    case 'notrack':
      reader.next()
      return { kind: 'notrack' }
    case 'reject':
      return reject(reader)
    case 'dnat':
    case 'snat':
    case 'masquerade':
    case 'redirect':
      return nat(reader, word)
    case 'add':
    case 'update':
    case 'delete':
      return change(reader, word)
    case 'limit':
      return limit(reader)
    case 'quota':
      return quota(reader)
    case 'ct':
      if (reader.peek(1) === 'count') return connections(reader)
      break
    case 'tcp':
      // changes an option, such as the MSS
      if (reader.peek(1) === 'option') return option(reader)
  }
  if (!beginsExpression(word)) throw new NotNft(`${word} is no statement`)
  return condition(reader)
}

const units: Readonly<Record<string, Rate['per']>> = {
  second: 'sec',
  minute: 'min',
  hour: 'hour',
  day: 'day',
}

/** `limit rate over 10/second burst 5 packets` */
function limit(reader: NftReader): Read {
  reader.next()
  reader.expect('rate')
  const isOver = reader.take('over')
  const [packets = '', unit = ''] = reader.next().split('/')
  const per = units[unit]
  if (per === undefined || !/^\d+$/.test(packets)) throw new NotNft('a limit of bytes')
  const burst = reader.take('burst') ? Number(reader.next()) : 5
  reader.take('packets')
  return { kind: 'limit', rate: { packets: Number(packets), per }, burst, isOver }
}

const sizes: Readonly<Record<string, number>> = { bytes: 1, kbytes: 1024, mbytes: 1024 ** 2 }

/** `quota over 25 mbytes used 196 bytes` */
function quota(reader: NftReader): Read {
  reader.next()
  const isOver = reader.take('over')
  if (!isOver) reader.take('until')
  const [bytes, size] = [Number(reader.next()), sizes[reader.next()]]
  if (size === undefined || Number.isNaN(bytes)) throw new NotNft('a quota by name')
  if (reader.take('used')) reader.at += 2
  return { kind: 'quota', bytes: bytes * size, isOver }
}

/** `ct count over 20` */
function connections(reader: NftReader): Read {
  reader.at += 2
  const isOver = reader.take('over')
  return { kind: 'connections', most: Number(reader.next()), isOver }
}

function counter(reader: NftReader): Read {
  reader.next()
  if (reader.peek() === 'name') reader.at += 2
  else if (reader.peek() === 'packets') reader.at += 4
  return { kind: 'passing' }
}

function log(reader: NftReader): Read {
  reader.next()
  while (['prefix', 'level', 'group', 'snaplen', 'queue-threshold', 'flags'].includes(reader.peek())) {
    if (reader.next() === 'flags' && ['tcp', 'ip'].includes(reader.peek())) reader.next()
    reader.next()
    while (reader.take(',')) reader.next()
  }
  return { kind: 'passing' }
}

function option(reader: NftReader): Read {
  const at = reader.words.indexOf('set', reader.at)
  if (at !== reader.at + 4) throw new NotNft('a condition on an option')
  reader.at = at + 1
  if (reader.take('rt')) reader.next()
  else reader.next()
  return { kind: 'passing' }
}

/** By default the port is unreachable; a kind of error has the names of iptables. */
function reject(reader: NftReader): Read {
  reader.next()
  if (!reader.take('with')) return { kind: 'reject', with: 'icmp-port-unreachable' }
  const protocol = reader.next()
  reader.take('type')
  const type = reader.next()
  if (protocol === 'tcp') return { kind: 'reject', with: 'tcp-reset', only: 'tcp' }
  const family = { icmp: 'IPv4', icmpv6: 'IPv6' } as const
  const only = protocol === 'icmp' || protocol === 'icmpv6' ? family[protocol] : undefined
  return { kind: 'reject', with: `icmp-${type}`, only }
}

function nat(reader: NftReader, type: 'dnat' | 'snat' | 'masquerade' | 'redirect'): Read {
  reader.next()
  if (['ip', 'ip6'].includes(reader.peek())) reader.next()
  const flags = reader.take('prefix') ? ['prefix'] : []
  if (reader.take('addr')) {
    reader.expect('.')
    reader.expect('port')
  }
  const to = reader.take('to') ? readExpression(reader) : undefined
  if (to === undefined && (type === 'dnat' || type === 'snat')) throw new NotNft(`${type} without an address`)
  while (['random', 'fully-random', 'persistent', ','].includes(reader.peek())) {
    const flag = reader.next()
    if (flag !== ',') flags.push(flag)
  }
  return { kind: 'nat', type, to, flags }
}

/** `update @set { ip saddr timeout 3h }`; one with a limit is a condition too. */
function change(reader: NftReader, operation: 'add' | 'update' | 'delete'): Read {
  reader.next()
  const set = reader.next()
  reader.expect('{')
  const key = readExpression(reader)
  const value: string[] = []
  let isValue = false
  while (!reader.take('}')) {
    const word = reader.next()
    if (['limit', 'quota', 'ct', 'last'].includes(word) && !isValue) throw new NotNft(`${word} in an element`)
    if (isValue) value.push(word)
    if (word === ':') isValue = true
  }
  return {
    ...{ kind: 'change', operation, set: set.slice(1), key },
    ...(isValue && { value: value.join(' ') }),
  }
}

function condition(reader: NftReader): Read {
  const left = readExpression(reader)
  if (!isRead(left)) throw new NotNft('nothing of the packet is compared')
  if (reader.take('vmap')) return { kind: 'vmap', key: left, map: readOperand(reader) }
  if (reader.take('set')) return { kind: 'assign', target: left, value: readExpression(reader) }
  const compared = ['!', '==', '!=', '<', '>', '<=', '>='].includes(reader.peek()) ? reader.next() : 'is'
  return { kind: 'match', ...compare(reader, left, compared as NftComparison) }
}

/** Whether an expression reads something: `ip option` has a field that is not known, and is no literal. */
function isRead(expression: NftExpression): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'elements':
      return false
    case 'binary':
      return isRead(expression.left)
    case 'concat':
      return expression.parts.every(isRead)
    case 'map':
      return isRead(expression.key)
    default:
      return true
  }
}

function compare(
  reader: NftReader,
  left: NftExpression,
  operator: NftComparison,
): { readonly left: NftExpression; readonly operator: NftComparison; readonly right: NftExpression } {
  const right = readExpression(reader)
  if (right.kind !== 'literal') return { left, operator, right }
  const words = [...right.words]
  while (reader.take(',')) words.push(reader.next())
  if (!reader.take('/')) return { left, operator, right: { kind: 'literal', words } }
  // `tcp flags syn / fin,syn`: of the flags after the slash, those before it
  const mask = [reader.next()]
  while (reader.take(',')) mask.push(reader.next())
  const masked: NftExpression = {
    kind: 'binary',
    operator: '&',
    left,
    right: { kind: 'literal', words: mask },
  }
  return { left: masked, operator: operator === '!=' ? '!=' : '==', right: { kind: 'literal', words } }
}
