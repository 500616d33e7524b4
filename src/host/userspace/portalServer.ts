import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { PortalOrders, PortRefused } from '../../proxy/userspace/orders.js'
import type { ServedPortals } from './servedPortals.js'

/** What the process of a node is asked, one line of JSON each. */
export type PortalQuestion = { readonly replace: PortalOrders } | { readonly list: true }

/** What it answers, one line of JSON each. */
export type PortalAnswer =
  { readonly refused: readonly PortRefused[] } | { readonly portals: readonly PortalOrders[] }

/** Listens on a socket file for what the portals are to be; one that an earlier process left is replaced. */
export async function servePortals(portals: ServedPortals, path: string): Promise<void> {
  rmSync(path, { force: true })
  const server = createServer((socket) => void answerQuestions(socket, portals))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

async function answerQuestions(socket: Socket, portals: ServedPortals): Promise<void> {
  // whoever asked may have gone
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
