import { Duplex } from 'node:stream'
import { control, controlFrame, dataFrame, fin, frameReader, uint32, type Frame } from './frames.js'
import { emptyHeaderWriter, headerReader, type Headers } from './headerBlocks.js'

/** A stream that the client has opened. */
export interface SpdyStream {
  readonly id: number
  readonly headers: Headers
  /** Ends in each direction by itself. */
  readonly duplex: Duplex
}

const protocolError = 1
const cancel = 5

/**
 * Serves the streams that a client of Kubernetes opens over SPDY/3.1 (moby/spdystream): all are accepted, and neither
 * side uses flow control, so that a stream that is not read stops the connection. `closed` is called once, when the
 * connection has ended.
 */
export function serveSpdy(
  connection: Duplex,
  onStream: (stream: SpdyStream) => void,
  closed: () => void,
): void {
  const read = frameReader()
  const readHeaders = headerReader()
  const emptyHeaders = emptyHeaderWriter()
  const streams = new Map<number, Duplex>()
  const full = new Set<number>()

  const send = (frame: Buffer, done?: (error?: Error | null) => void) => {
    if (connection.writable) connection.write(frame, done)
    else done?.()
  }
  const unread = (id: number, isFull: boolean) => {
    if (isFull) full.add(id)
    else full.delete(id)
    if (full.size > 0) connection.pause()
    else connection.resume()
  }
  const makeStream = (id: number): Duplex => {
    const duplex = new Duplex({
      read: () => {
        unread(id, false)
      },
      write: (chunk: Buffer, _, done) => {
        send(dataFrame(id, chunk), done)
      },
      final: (done) => {
        send(dataFrame(id, Buffer.alloc(0), fin), done)
      },
      destroy: (error, done) => {
        streams.delete(id)
        unread(id, false)
        if (error !== null) send(controlFrame(control.rstStream, uint32(id), uint32(cancel)))
        done(null)
      },
    })
    streams.set(id, duplex)
    return duplex
  }
  const open = ({ payload, flags }: Frame) => {
    const id = payload.readUInt32BE(0) & 0x7fffffff
    const headers = readHeaders(payload.subarray(10))
    if (streams.has(id)) {
      send(controlFrame(control.rstStream, uint32(id), uint32(protocolError)))
      return
    }
    const duplex = makeStream(id)
    send(controlFrame(control.synReply, uint32(id), emptyHeaders()))
    if ((flags & fin) !== 0) duplex.push(null)
    onStream({ id, headers, duplex })
  }
  const handle = (frame: Frame) => {
    const { type, payload, flags } = frame
    switch (type) {
      case undefined: {
        const stream = streams.get(frame.stream)
        if (stream === undefined) return
        if (payload.length > 0 && !stream.push(payload)) unread(frame.stream, true)
        if ((flags & fin) !== 0) stream.push(null)
        return
      }
      case control.synStream:
        open(frame)
        return
      case control.synReply:
      case control.headers:
        // Not used, but part of the compressed stream.
        readHeaders(payload.subarray(4))
        return
      case control.rstStream:
        streams.get(payload.readUInt32BE(0) & 0x7fffffff)?.destroy()
        return
      case control.ping:
        send(controlFrame(control.ping, payload))
        return
      case control.goAway:
        connection.end()
    }
  }

  connection.on('data', (chunk: Buffer) => {
    try {
      for (const frame of read(chunk)) handle(frame)
    } catch {
      // What follows in the connection cannot be read.
      connection.destroy()
    }
  })
  connection.on('error', () => connection.destroy())
  connection.on('end', () => connection.end())
  connection.on('close', () => {
    for (const stream of streams.values()) stream.destroy()
    closed()
  })
}
