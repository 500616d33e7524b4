import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import { badRequest } from '../status.js'
import fields from './protobufFields.json' with { type: 'json' }

const prefix = Buffer.from('k8s\0')

/** A field of a message, as protobufFields.json has it. */
interface Field {
  /** In JSON; `-` for a message whose fields are those of its parent there. */
  readonly name: string
  readonly many: '' | 'list' | 'map'
  readonly type: string
  /** Whether JSON has a zero value of the field: it may be a pointer in Go. */
  readonly keepsZero: boolean
}

const kinds: Readonly<Record<string, string | undefined>> = fields.kinds
const texts: Readonly<Record<string, string | undefined>> = fields.messages
const messages = new Map<string, ReadonlyMap<number, Field>>()

/** The object of a body in the protobuf format of Kubernetes; throws a 400 Status for kinds and fields that are not known. */
export function readProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, 4).equals(prefix)) throw undecodable('it does not start with "k8s"')
  // runtime.Unknown, in which every object is sent
  const whole = fieldsByNumber(body.subarray(4))
  const type = fieldsByNumber(bytesOf(whole.get(1)))
  const [apiVersion, kind] = [textOf(type.get(1)), textOf(type.get(2))]
  const message = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (message === undefined) throw undecodable(`this server reads ${kind} only as JSON or YAML`)
  const raw = whole.get(2)
  if (!Buffer.isBuffer(raw)) throw undecodable(`it has no ${kind}`)
  return { apiVersion, kind, ...readMessage(raw, message) }
}

function readMessage(bytes: Buffer, message: string): JsonObject {
  const known = fieldsOf(message)
  const values = new Map<string, Json>()
  for (const { number, value } of fieldsIn(bytes)) {
    const field = known.get(number)
    if (field === undefined) {
      // Go writes empty messages and zeros of unset fields; who manages a field the server records itself
      if (value === 0 || (Buffer.isBuffer(value) && value.length === 0) || isManagers(message, number))
        continue
      throw undecodable(`field ${number} of ${message} is not known; send the object as JSON or YAML`)
    }
    const { name, many, type, keepsZero } = field
    if (many === 'list')
      values.set(name, [...((values.get(name) as Json[] | undefined) ?? []), readValue(value, type)])
    else if (many === 'map') {
      const entry = fieldsByNumber(bytesOf(value))
      const read = readValue(entry.get(2) ?? Buffer.alloc(0), type)
      values.set(name, { ...(values.get(name) as JsonObject | undefined), [textOf(entry.get(1))]: read })
    } else {
      const read = readValue(value, type)
      if (name === '-') for (const [key, inner] of Object.entries(read as JsonObject)) values.set(key, inner)
      else if (read !== null && (keepsZero || !isZero(read))) values.set(name, read)
    }
  }
  return Object.fromEntries(values)
}

function isManagers(message: string, number: number): boolean {
  return message === 'ObjectMeta' && number === 17
}

function isZero(value: Json): boolean {
  return value === '' || value === false || value === 0
}

/** The fields of a message by number. */
function fieldsOf(message: string): ReadonlyMap<number, Field> {
  const found = messages.get(message)
  if (found !== undefined) return found
  const written = (texts[message] ?? '').split(', ').filter((text) => text !== '')
  const read = new Map(
    written.map((text): [number, Field] => {
      const [number, name = '', type = ''] = text.split(' ')
      const many = name.endsWith('[]') ? 'list' : name.endsWith('{}') ? 'map' : ''
      return [
        Number(number),
        {
          name: many === '' ? name : name.slice(0, -2),
          many,
          type: type.replace('?', ''),
          keepsZero: type.endsWith('?'),
        },
      ]
    }),
  )
  messages.set(message, read)
  return read
}

/** A value as it is in JSON; null for a time that is not set. */
function readValue(value: Buffer | number, type: string): Json {
  if (typeof value === 'number') return type === 'bool' ? value !== 0 : value
  switch (type) {
    case 'text':
      return value.toString()
    case 'bytes':
      return value.toString('base64')
    case 'quantity':
      return textOf(fieldsByNumber(value).get(1))
    case 'time': {
      const parts = fieldsByNumber(value)
      const [seconds = 0, nanoseconds = 0] = [parts.get(1), parts.get(2)].map(Number)
      if (!(seconds || nanoseconds)) return null
      const time = new Date(seconds * 1000 + Math.trunc(nanoseconds / 1e6))
      if (Number.isNaN(time.getTime())) throw undecodable(`${seconds} s is not a time`)
      return time.toISOString().replace('.000Z', 'Z')
    }
    case 'intOrString': {
      const parts = fieldsByNumber(value)
      return Number(parts.get(1) ?? 0) === 0 ? Number(parts.get(2) ?? 0) : textOf(parts.get(3))
    }
    default:
      return readMessage(value, type)
  }
}

function fieldsByNumber(message: Buffer): ReadonlyMap<number, Buffer | number> {
  return new Map([...fieldsIn(message)].map(({ number, value }) => [number, value]))
}

function bytesOf(value: Buffer | number | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

function textOf(value: Buffer | number | undefined): string {
  return bytesOf(value).toString()
}

/** The fields of a message: varints as numbers, everything else as bytes. */
function* fieldsIn(message: Buffer): Generator<{ number: number; value: Buffer | number }> {
  let offset = 0
  const varint = (): number => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[offset++]
      if (byte === undefined) throw undecodable('it is cut off')
      value |= BigInt(byte & 0x7f) << shift
      // a negative number has 64 bits
      if (byte < 0x80) return Number(BigInt.asIntN(64, value))
    }
  }
  while (offset < message.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    if (tag % 8 === 0) yield { number, value: varint() }
    else {
      const length = { 1: 8, 2: -1, 5: 4 }[tag % 8]
      if (length === undefined) throw undecodable('it has a field of an unknown type')
      const size = length < 0 ? varint() : length
      if (offset + size > message.length) throw undecodable('it is cut off')
      yield { number, value: message.subarray(offset, offset + size) }
      offset += size
    }
  }
}

function undecodable(why: string) {
  return badRequest(`the protobuf body cannot be decoded: ${why}`)
}
