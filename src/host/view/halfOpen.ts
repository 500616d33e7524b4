import type { Server, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Connections of one address that have sent no request yet; browsers open a few before they need them. */
const mostOfAddress = 32

/**
 * Closes the oldest connection of an address that has sent no request when it has more of them: somebody who opens connections and sends
 * nothing does not keep others from the page.
 */
export function limitHalfOpen(server: Server): void {
  const waiting = new Map<string, Map<number, Socket>>()
  const forget = ({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>) => {
    const own = waiting.get(remoteAddress)
    own?.delete(remotePort)
    if (own?.size === 0) waiting.delete(remoteAddress)
  }
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '', remotePort = 0 } = socket
    const own = waiting.get(remoteAddress) ?? new Map<number, Socket>()
    waiting.set(remoteAddress, own.set(remotePort, socket))
    socket.on('close', () => forget({ remoteAddress, remotePort }))
    const [oldest] = own.values()
    if (own.size > mostOfAddress) oldest?.destroy()
  })
  // a secure connection has the addresses of the one that carries it
  server.on('request', ({ socket }: IncomingMessage) => forget(socket))
}
