import type { Duplex } from 'node:stream'
import { serveSpdy } from '../spdy/session.js'
import { onEnd, type Running, type StreamName } from './running.js'

/** The protocol of exec and attach over SPDY: kubectl before 1.31. */
export const streamProtocol = 'v4.channel.k8s.io'

/** Starts a process when the client has opened a stream for each wanted one and for its status, and connects them. */
export function connectStreams(
  connection: Duplex,
  wanted: readonly StreamName[],
  start: () => Running,
): void {
  const streams = new Map<string, Duplex>()
  let running: Running | undefined
  serveSpdy(
    connection,
    ({ headers, duplex }) => {
      const { streamtype: type = '' } = headers
      duplex.on('error', () => undefined)
      // The sizes of the terminal.
      if (type === 'resize') duplex.resume()
      streams.set(type, duplex)
      if (running !== undefined || !['error', ...wanted].every((name) => streams.has(name))) return
      running = start()
      connect(running, streams, connection)
    },
    () => running?.stop(),
  )
}

function connect({ child }: Running, streams: ReadonlyMap<string, Duplex>, connection: Duplex): void {
  const { stdin, stdout, stderr } = Object.fromEntries(streams)
  // A command that has ended reads no more.
  child.stdin?.on('error', () => stdin?.resume())
  if (child.stdin !== null) stdin?.pipe(child.stdin)
  if (stdout !== undefined) child.stdout?.pipe(stdout)
  if (stderr !== undefined) child.stderr?.pipe(stderr)
  onEnd(child, (status) => {
    stdout?.end()
    stderr?.end()
    const errors = streams.get('error')
    errors?.end(JSON.stringify(status), () => connection.end())
  })
}
