import { connect, createServer, type Server, type Socket } from 'node:net'
import type { RelayFailure, RelayOrder } from './relayOrder.js'

/**
 * Connects what listening sockets of the host accept to targets in the network namespace of this process, until the process
 * that sent the sockets ends. A socket stays in the namespace where it was opened, so both sides are in this one process.
 */
export async function relayConnections(): Promise<void> {
  process.on('message', ({ target }: RelayOrder, listening: Server) => {
    // `listening` would end both directions when a client has sent everything
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      const backend = connect({ ...target, host: target.address, allowHalfOpen: true })
      backend.once('error', ({ message }) => report({ failed: target.name, message }))
      join(client, backend)
    })
    server.listen(listening)
    report({ listens: target.name })
  })
  await new Promise((resolve) => process.once('disconnect', resolve))
}

function report(message: RelayFailure | { listens: string }): void {
  if (process.connected) process.send?.(message)
}

/** Copies bytes in both directions; an error or an early end on one side ends the other. */
function join(client: Socket, backend: Socket): void {
  for (const [from, to] of [
    [client, backend],
    [backend, client],
  ] as const) {
    from.on('error', () => to.destroy())
    from.once('close', (failed: boolean) => (failed ? to.destroy() : to.end()))
    from.pipe(to)
  }
}
