import { rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A second address of a server, which can go away without it. */
export interface SocketProxy {
  /** Ends every connection, and takes no more. */
  die(): void
  /** Passes nothing on any more, as behind a cable that was cut. */
  fallSilent(): void
  /** Resolves once the server has said a text through it. */
  says(text: string): Promise<void>
}

/** Listens at `path` for what is meant for `target`, both Unix sockets. */
export async function socketProxy(path: string, target: string): Promise<SocketProxy> {
  const open = new Set<Socket>()
  let silent = false
  let said = ''
  let heard: () => void = () => undefined
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client)
    if (silent) return
    const upstream = connect({ path: target, allowHalfOpen: true })
    keep(upstream)
    client.pipe(upstream).pipe(client)
    upstream.on('data', (part: Buffer) => {
      said += part.toString('latin1')
      heard()
    })
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    die: () => {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(path, { force: true })
    },
    fallSilent: () => {
      silent = true
      for (const socket of open) socket.unpipe().pause()
    },
    says: (text) =>
      new Promise((resolve) => {
        heard = () => {
          if (said.includes(text)) resolve()
        }
        heard()
      }),
  }
}
