import type { Stamp } from './stamp.js'

interface EventName {
  readonly name: string
  readonly namespace: string
}

/**
 * The response to a posted Event: an Event of that name, which is not stored. Clients post protobuf or JSON and decode
 * the response by its Content-Type.
 */
export function acceptedEvent(apiVersion: string, body: Buffer, namespace: string, stamp: Stamp): unknown {
  const { name } = eventNameIn(body) ?? { name: `event.${stamp.uid.slice(0, 16)}` }
  return { kind: 'Event', apiVersion, metadata: { name, namespace, ...stamp }, eventTime: null }
}

/** The name of the Event in a protobuf or JSON body; undefined when it has none or cannot be parsed. */
export function eventNameIn(body: Buffer): EventName | undefined {
  const metadata =
    body.subarray(0, 4).toString('latin1') === 'k8s\0' ? fromProtobuf(body.subarray(4)) : fromJson(body)
  return metadata.name === undefined
    ? undefined
    : { name: metadata.name, namespace: metadata.namespace ?? '' }
}

function fromJson(body: Buffer): Partial<EventName> {
  try {
    const value = JSON.parse(body.toString()) as { metadata?: { name?: unknown; namespace?: unknown } } | null
    const { name, namespace } = value?.metadata ?? {}
    return {
      ...(typeof name === 'string' && name !== '' ? { name } : {}),
      ...(typeof namespace === 'string' ? { namespace } : {}),
    }
  } catch {
    return {}
  }
}

/** runtime.Unknown has the object in field 2, every object its ObjectMeta in field 1: name is 1, namespace 3. */
function fromProtobuf(unknown: Buffer): Partial<EventName> {
  const object = bytesField(unknown, 2)
  const metadata = object && bytesField(object, 1)
  const name = metadata && bytesField(metadata, 1)?.toString()
  const namespace = metadata && bytesField(metadata, 3)?.toString()
  return { ...(name ? { name } : {}), ...(namespace === undefined ? {} : { namespace }) }
}

/** The first length-delimited field with a number in a protobuf message; undefined when it is absent or truncated. */
export function bytesField(message: Buffer, wanted: number): Buffer | undefined {
  let offset = 0
  const varint = (): number => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = message[offset++]
      if (byte === undefined) return NaN
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
  }
  while (offset < message.length) {
    const tag = varint()
    const wireType = tag % 8
    if (wireType === 0) varint()
    else if (wireType === 1) offset += 8
    else if (wireType === 5) offset += 4
    else if (wireType === 2) {
      const length = varint()
      const end = offset + length
      if (!(end <= message.length)) return undefined
      if (Math.floor(tag / 8) === wanted) return message.subarray(offset, end)
      offset = end
    } else return undefined
  }
  return undefined
}
