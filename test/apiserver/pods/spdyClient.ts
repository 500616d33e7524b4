import type { Duplex } from 'node:stream'
import { constants, createDeflate } from 'node:zlib'
import {
  control,
  controlFrame,
  dataFrame,
  fin,
  frameReader,
  uint32,
} from '../../../src/host/kubeApi/spdy/frames.js'
import { spdyDictionary } from '../../../src/host/kubeApi/spdy/headerBlocks.js'

/** A stream of a SPDY client: what the server has sent in it. */
export interface ClientStream {
  send(text: string): void
  end(): void
  /** Its text, once the server has ended the stream; rejects when the server has reset it. */
  readonly text: Promise<string>
}

/** A client of SPDY/3.1 that compresses all its headers in one zlib stream. */
export function spdyClient(connection: Duplex) {
  const deflate = createDeflate({ dictionary: spdyDictionary() })
  const streams = new Map<number, (payload: Buffer, ended: boolean, reset: boolean) => void>()
  const pings = new Map<number, () => void>()
  const read = frameReader()
  let last = -1
  connection.on('data', (chunk: Buffer) => {
    for (const { type, stream, flags, payload } of read(chunk)) {
      if (type === undefined) streams.get(stream)?.(payload, (flags & fin) !== 0, false)
      if (type === control.rstStream) streams.get(payload.readUInt32BE(0))?.(payload, true, true)
      if (type === control.ping) pings.get(payload.readUInt32BE(0))?.()
    }
  })
  const compress = (plain: Buffer) =>
    new Promise<Buffer>((resolve) => {
      deflate.write(plain)
      deflate.flush(constants.Z_SYNC_FLUSH, () => {
        resolve(deflate.read() as Buffer)
      })
    })
  const open = async (headers: Readonly<Record<string, string>>): Promise<ClientStream> => {
    last += 2
    const id = last
    const pairs = Object.entries(headers)
    const block = await compress(Buffer.concat([uint32(pairs.length), ...pairs.flat().flatMap(counted)]))
    const parts: Buffer[] = []
    const text = new Promise<string>((resolve, reject) => {
      streams.set(id, (payload, ended, reset) => {
        parts.push(payload)
        if (reset) reject(new Error('reset'))
        else if (ended) resolve(Buffer.concat(parts).toString())
      })
    })
    connection.write(controlFrame(control.synStream, uint32(id), uint32(0), Buffer.alloc(2), block))
    const data = (bytes: string, flags = 0) => connection.write(dataFrame(id, Buffer.from(bytes), flags))
    return { send: (bytes) => data(bytes), end: () => data('', fin), text }
  }
  const ping = (id: number) =>
    new Promise<void>((resolve) => {
      pings.set(id, resolve)
      connection.write(controlFrame(control.ping, uint32(id)))
    })
  return { open, ping }
}

function counted(word: string): Buffer[] {
  return [uint32(Buffer.byteLength(word)), Buffer.from(word)]
}
