import type { Readable } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { onEnd, type Running } from './running.js'

/** Subprotocols of exec and attach; the fifth can also close the standard input. */
export const channelProtocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

/** The first byte of each message. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 }

/** Connects a process to a WebSocket until the process or the connection ends. */
export function connectChannels(socket: WebSocket, running: Running): void {
  const { child, stop } = running
  const send = (number: number, stream: Readable | null) =>
    stream?.on('data', (chunk: Buffer) => {
      // A client that does not read stops the process, not the server's memory.
      stream.pause()
      socket.send(Buffer.concat([Buffer.from([number]), chunk]), () => stream.resume())
    })
  send(channel.stdout, child.stdout)
  send(channel.stderr, child.stderr)
  // A command that has ended reads no more.
  child.stdin?.on('error', () => undefined)
  socket.on('message', (data: RawData) => {
    const message = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer)
    if (message[0] === channel.close && message[1] === channel.stdin) child.stdin?.end()
    if (message[0] !== channel.stdin || child.stdin === null || child.stdin.writableEnded) return
    socket.pause()
    child.stdin.write(message.subarray(1), () => {
      socket.resume()
    })
  })
  socket.on('error', stop)
  socket.on('close', stop)
  onEnd(child, (status) => {
    socket.send(Buffer.concat([Buffer.from([channel.error]), Buffer.from(JSON.stringify(status))]), () => {
      socket.close(1000)
    })
  })
}
