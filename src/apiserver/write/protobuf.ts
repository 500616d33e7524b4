import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import { badRequest } from '../status.js'
import { messages, objectMeta, type FieldType, type Message } from './protobufMessages.js'

const prefix = Buffer.from('k8s\0')
/** runtime.Unknown, in which every object is sent. */
const unknown: Message = { 1: ['type', () => ({ 1: ['apiVersion', 'text'], 2: ['kind', 'text'] })] }

/** The object of a body in the protobuf format of Kubernetes; throws a 400 Status for kinds and fields that are not known. */
export function readProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, 4).equals(prefix)) throw undecodable('it does not start with "k8s"')
  const whole = body.subarray(4)
  const { type } = readMessage(whole, unknown, [2, 3, 4])
  const { apiVersion = '', kind = '' } = (type ?? {}) as { apiVersion?: string; kind?: string }
  const message = Object.hasOwn(messages, kind) ? messages[kind] : undefined
  const raw = [...fieldsIn(whole)].find(({ number }) => number === 2)?.value
  if (message === undefined || !Buffer.isBuffer(raw))
    throw undecodable(`this server reads ${kind} only as JSON or YAML`)
  return { apiVersion, kind, ...readMessage(raw, message, [3]) }
}

/** Decodes a message; fields with a number in `ignored` are left out, such as an empty status. */
function readMessage(bytes: Buffer, message: Message, ignored: readonly number[] = []): JsonObject {
  const values = new Map<string, Json>()
  for (const { number, value } of fieldsIn(bytes)) {
    const field = message[number]
    if (field === undefined) {
      // Go writes empty messages for unset structs.
      if (ignored.includes(number) || (Buffer.isBuffer(value) && value.length === 0)) continue
      if (message === objectMeta || !Buffer.isBuffer(value)) continue
      throw undecodable(`field ${number} is not known; send the object as JSON or YAML`)
    }
    const [name, type] = field
    if (type === 'texts' || type === 'bytesMap') {
      const { key = '', value: text = '' } = readEntry(value, type)
      values.set(name, { ...(values.get(name) as JsonObject | undefined), [key]: text })
      continue
    }
    const decoded = readField(value, type)
    if (name === '') for (const [key, inner] of Object.entries(decoded as JsonObject)) values.set(key, inner)
    else if (name.endsWith('[]'))
      values.set(name.slice(0, -2), [
        ...((values.get(name.slice(0, -2)) as Json[] | undefined) ?? []),
        decoded,
      ])
    else if (!isUnset(name, decoded)) values.set(name, decoded)
  }
  return Object.fromEntries(values)
}

/** Go writes the zero value of an unset field; few fields distinguish it from an unset one. */
function isUnset(name: string, value: Json): boolean {
  return value === '' || value === false || (value === 0 && !distinguished.includes(name))
}

const distinguished = [
  'replicas',
  'parallelism',
  'completions',
  'backoffLimit',
  'terminationGracePeriodSeconds',
  'gracePeriodSeconds',
  'value',
]

function readField(value: Buffer | number, type: Exclude<FieldType, 'texts' | 'bytesMap'>): Json {
  if (typeof value === 'number') return type === 'bool' ? value !== 0 : value
  if (type === 'text') return value.toString()
  if (type === 'intOrString') {
    const {
      type: kind = 0,
      int = 0,
      text = '',
    } = readMessage(value, {
      1: ['type', 'int'],
      2: ['int', 'int'],
      3: ['text', 'text'],
    })
    return kind === 0 ? int : text
  }
  return typeof type === 'function' ? readMessage(value, type()) : null
}

function readEntry(entry: Buffer | number, type: 'texts' | 'bytesMap'): { key?: string; value?: string } {
  const fields = Buffer.isBuffer(entry) ? [...fieldsIn(entry)] : []
  const bytesAt = (wanted: number) => {
    const found = fields.find(({ number }) => number === wanted)?.value
    return Buffer.isBuffer(found) ? found : Buffer.alloc(0)
  }
  return { key: bytesAt(1).toString(), value: bytesAt(2).toString(type === 'texts' ? 'utf8' : 'base64') }
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
