import { addressText } from '../cluster/addresses.js'
import { typeNumbers, type AnswerRecord, type DnsAnswer, type DnsQuery } from './types.js'

const optType = 41
const longestName = 255

/** A message that is not one of DNS, or is cut off. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

/** Reads a query; undefined for what is an answer itself, or has not exactly one question. Throws MalformedMessage. */
export function decodeQuery(message: Buffer): DnsQuery | undefined {
  return guarded(() => {
    const flags = message.readUInt16BE(2)
    if ((flags & 0x8000) !== 0 || message.readUInt16BE(4) !== 1) return undefined
    const { name, next } = readName(message, 12)
    return {
      id: message.readUInt16BE(0),
      opcode: (flags >> 11) & 0xf,
      recursionDesired: (flags & 0x100) !== 0,
      name,
      type: message.readUInt16BE(next),
      class: message.readUInt16BE(next + 2),
      udpSize: udpSize(message, next + 4),
    }
  })
}

/** Reads the addresses and aliases of an answer; records of other types are left out. Throws MalformedMessage. */
export function decodeAnswer(message: Buffer): DnsAnswer {
  return guarded(() => {
    const answers: AnswerRecord[] = []
    let at = 12
    for (let left = message.readUInt16BE(4); left > 0; left--) at = readName(message, at).next + 4
    for (let left = message.readUInt16BE(6); left > 0; left--) {
      const { name, next } = readName(message, at)
      const type = message.readUInt16BE(next)
      const ttl = message.readUInt32BE(next + 4)
      const start = next + 10
      at = start + message.readUInt16BE(next + 8)
      if (at > message.length) throw new MalformedMessage('a record is cut off')
      if (type === typeNumbers.CNAME)
        answers.push({ name, type: 'CNAME', ttl, data: readName(message, start).name })
      const data = message.subarray(start, at)
      if (type === typeNumbers.A && data.length === 4)
        answers.push({ name, type: 'A', ttl, data: data.join('.') })
      if (type === typeNumbers.AAAA && data.length === 16)
        answers.push({
          name,
          type: 'AAAA',
          ttl,
          data: addressText('IPv6', BigInt(`0x${data.toString('hex')}`)),
        })
    }
    return { rcode: message.readUInt16BE(2) & 0xf, authoritative: false, answers, authority: [] }
  })
}

/** The size that an OPT record offers (RFC 6891), at least 512 bytes. */
function udpSize(message: Buffer, from: number): number | undefined {
  let at = from
  const others = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  for (let left = others; left > 0; left--) {
    const { next } = readName(message, at)
    if (message.readUInt16BE(next) === optType) return Math.max(512, message.readUInt16BE(next + 2))
    at = next + 10 + message.readUInt16BE(next + 8)
  }
  return undefined
}

/** A name at an offset, pointers followed (RFC 1035, 4.1.4), and where what is behind it starts. */
function readName(message: Buffer, offset: number): { name: string; next: number } {
  const labels: string[] = []
  let at = offset
  let next: number | undefined
  let length = 0
  for (;;) {
    const size = message.readUInt8(at)
    if ((size & 0xc0) === 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff
      next ??= at + 2
      // only backwards: so it ends
      if (target >= at) throw new MalformedMessage('a pointer does not lead back')
      at = target
      continue
    }
    if ((size & 0xc0) !== 0) throw new MalformedMessage('a label of an unknown kind')
    if (size === 0) return { name: labels.join('.'), next: next ?? at + 1 }
    length += size + 1
    if (length > longestName || at + 1 + size > message.length)
      throw new MalformedMessage('a name is too long')
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
}

function guarded<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedMessage('the message is cut off')
    throw error
  }
}
