import { addressNumber } from '../cluster/addresses.js'
import { typeNumbers, type AnswerRecord, type DnsAnswer, type DnsQuery } from './types.js'

const internet = 1
const truncated = 0x0200
/** What this server takes over UDP (RFC 9715). */
const ownUdpSize = 1232

/** The message that answers a query. Over a limit of bytes it holds no records, and says that it was cut. */
export function encodeAnswer(query: DnsQuery, answer: DnsAnswer, limit = 65_535): Buffer {
  const whole = message(query, answer, 0)
  if (whole.length <= limit) return whole
  return message(query, { ...answer, answers: [], authority: [] }, truncated)
}

/** A query that asks a server to find the addresses of a name. */
export function encodeQuery(id: number, name: string, type: number): Buffer {
  const writer = new MessageWriter()
  writer.words(id, 0x0100, 1, 0, 0, 0)
  writer.name(name)
  writer.words(type, internet)
  return writer.done()
}

function message(
  query: DnsQuery,
  { rcode, authoritative, answers, authority }: DnsAnswer,
  cut: number,
): Buffer {
  const writer = new MessageWriter()
  const flags =
    0x8080 | (query.opcode << 11) | (authoritative ? 0x0400 : 0) | (query.recursionDesired ? 0x0100 : 0)
  const edns = query.udpSize !== undefined
  writer.words(query.id, flags | cut | rcode, 1, answers.length, authority.length, edns ? 1 : 0)
  writer.name(query.name)
  writer.words(query.type, query.class)
  for (const record of [...answers, ...authority]) writer.record(record)
  if (edns) writer.bytes(Buffer.from([0, 0, 41, ownUdpSize >> 8, ownUdpSize & 0xff, 0, 0, 0, 0, 0, 0]))
  return writer.done()
}

/** Puts a message together; names that stood before are pointed at. */
class MessageWriter {
  readonly #parts: Buffer[] = []
  readonly #names = new Map<string, number>()
  #length = 0

  bytes(part: Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  words(...values: readonly number[]): void {
    const part = Buffer.alloc(2 * values.length)
    values.forEach((value, index) => part.writeUInt16BE(value, 2 * index))
    this.bytes(part)
  }

  name(name: string): void {
    let rest = name
    while (rest !== '') {
      const known = this.#names.get(rest)
      if (known !== undefined) {
        this.words(0xc000 | known)
        return
      }
      if (this.#length < 0x4000) this.#names.set(rest, this.#length)
      const [label = ''] = rest.split('.', 1)
      this.bytes(Buffer.from([label.length, ...Buffer.from(label, 'latin1')]))
      rest = rest.slice(label.length + 1)
    }
    this.bytes(Buffer.from([0]))
  }

  record({ name, type, ttl, data }: AnswerRecord): void {
    this.name(name)
    this.words(typeNumbers[type], internet, ttl >>> 16, ttl & 0xffff)
    const size = Buffer.alloc(2)
    this.bytes(size)
    const start = this.#length
    this.#data(type, data)
    size.writeUInt16BE(this.#length - start)
  }

  done(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #data(type: AnswerRecord['type'], data: string): void {
    const words = data.split(' ')
    switch (type) {
      case 'A':
        this.bytes(Buffer.from(data.split('.').map(Number)))
        return
      case 'AAAA':
        this.bytes(Buffer.from(addressNumber(data).toString(16).padStart(32, '0'), 'hex'))
        return
      case 'TXT':
        this.bytes(Buffer.from([data.length, ...Buffer.from(data, 'latin1')]))
        return
      case 'SRV':
        // its target is never compressed (RFC 2782)
        this.words(...words.slice(0, 3).map(Number))
        this.#plainName(words[3] ?? '')
        return
      case 'SOA':
        this.name(words[0] ?? '')
        this.name(words[1] ?? '')
        for (const value of words.slice(2).map(Number)) this.words(value >>> 16, value & 0xffff)
        return
      default:
        this.name(data)
    }
  }

  #plainName(name: string): void {
    for (const label of name.split('.'))
      this.bytes(Buffer.from([label.length, ...Buffer.from(label, 'latin1')]))
    this.bytes(Buffer.from([0]))
  }
}
