import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { PortalOrders, PortRefused } from '../../agents/kubeProxy/userspace/orders.js'
import type { ServedPortals } from './servedPortals.js'

/** A request to the process of a node, one line of JSON. */
export type PortalQuestion = { readonly replace: PortalOrders } | { readonly list: true }

/** Its answer, one line of JSON. */
export type PortalAnswer =
  { readonly refused: readonly PortRefused[] } | { readonly portals: readonly PortalOrders[] }

/** Listens for requests on a socket file; a file of an earlier process is replaced. */
export async function servePortals(portals: ServedPortals, path: string): Promise<void> {
  rmSync(path, { force: true })
  const server = createServer((socket) => void answerQuestions(socket, portals))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

async function answerQuestions(socket: Socket, portals: ServedPortals): Promise<void> {
  // the client may have disconnected
  socket.on('error', () => undefined)
  for await (const line of createInterface({ input: socket })) {
    const question = JSON.parse(line) as PortalQuestion
    const answer: PortalAnswer =
      'replace' in question
        ? { refused: await portals.replace(question.replace) }
        : { portals: portals.list() }
    socket.write(`${JSON.stringify(answer)}\n`)
  }
}
