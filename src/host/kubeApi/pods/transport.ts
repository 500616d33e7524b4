import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { badRequest, StatusError } from '../../../apiserver/status.js'

/** A request to upgrade its connection. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What the client has sent after the request. */
  readonly head: Buffer
}

/** What is served after an upgrade to one of two transports; protocols in the order of preference. */
export interface Transports {
  readonly webSocket: {
    readonly protocols: readonly string[]
    serve(connection: WebSocket): void
  }
  readonly spdy: {
    readonly protocol: string
    serve(connection: Duplex): void
  }
}

/** Upgrades a connection to WebSocket (kubectl 1.31 and later) or SPDY/3.1. Throws a StatusError before anything was sent. */
export function upgrade({ request, socket, head }: Upgrade, { webSocket, spdy }: Transports): void {
  const { headers } = request
  const to = headers.upgrade?.toLowerCase()
  if (to === 'websocket') {
    const offered = words(headers['sec-websocket-protocol'])
    const protocol = webSocket.protocols.find((name) => offered.includes(name))
    if (protocol === undefined) throw notNegotiated(offered, webSocket.protocols, 400)
    const accepting = new WebSocketServer({ noServer: true })
    // Protocols of Kubernetes contain a slash, which ws rejects.
    delete headers['sec-websocket-protocol']
    accepting.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`))
    accepting.handleUpgrade(request, socket, head, (connection) => {
      webSocket.serve(connection)
    })
    return
  }
  if (to !== 'spdy/3.1') throw badRequest('Upgrade request required: WebSocket or SPDY/3.1')
  const offered = words(headers['x-stream-protocol-version'])
  if (!offered.includes(spdy.protocol)) throw notNegotiated(offered, [spdy.protocol], 403)
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n' +
      `X-Stream-Protocol-Version: ${spdy.protocol}\r\n\r\n`,
  )
  if (head.length > 0) socket.unshift(head)
  spdy.serve(socket)
}

function words(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(/\s*,\s*/)
    .filter((word) => word !== '')
}

/** httpstream.Handshake of apimachinery. */
function notNegotiated(offered: readonly string[], served: readonly string[], code: 400 | 403): StatusError {
  return new StatusError(
    code,
    code === 400 ? 'BadRequest' : 'Forbidden',
    `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${served.join(' ')}]`,
  )
}
