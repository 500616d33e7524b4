/** One frame of SPDY/3.1: a control frame has a type, a data frame has none and its stream before the payload. */
export interface Frame {
  readonly type: number | undefined
  /** The stream of a data frame; 0 for a control frame, whose payload names it. */
  readonly stream: number
  readonly flags: number
  readonly payload: Buffer
}

/** Types of control frames. */
export const control = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7, headers: 8 } as const

/** The flag of the last frame of a stream's direction. */
export const fin = 1

const headBytes = 8
const version = 3
// Clients write blocks of 32 KB.
const maxPayloadBytes = 2 ** 20

/** Joins the bytes of a connection to frames; throws for another version and for a frame of more than 1 MiB. */
export function frameReader(): (chunk: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    while (rest.length >= headBytes) {
      const head = rest.readUInt32BE(0)
      const isControl = head >= 2 ** 31
      const length = rest.readUIntBE(5, 3)
      if (isControl && ((head >> 16) & 0x7fff) !== version) throw new RangeError('not SPDY/3.1')
      if (length > maxPayloadBytes) throw new RangeError('a frame of SPDY is too long')
      if (rest.length < headBytes + length) break
      frames.push({
        type: isControl ? head & 0xffff : undefined,
        stream: isControl ? 0 : head,
        flags: rest.readUInt8(4),
        payload: rest.subarray(headBytes, headBytes + length),
      })
      rest = rest.subarray(headBytes + length)
    }
    return frames
  }
}

/** The bytes of a control frame. */
export function controlFrame(type: number, ...payload: readonly Buffer[]): Buffer {
  return framed((2 ** 31 + version * 2 ** 16 + type) >>> 0, 0, Buffer.concat(payload))
}

/** The bytes of a data frame. */
export function dataFrame(stream: number, payload: Buffer, flags = 0): Buffer {
  return framed(stream, flags, payload)
}

/** A number of 4 bytes. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function framed(first: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(first, 0)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(payload.length, 5, 3)
  return Buffer.concat([head, payload])
}
