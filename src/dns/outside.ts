import { createSocket } from 'node:dgram'
import { randomInt } from 'node:crypto'

/** How long a server outside may take, in milliseconds; the next one is asked then. */
const patienceMs = 1500

/** Sends a query to servers outside, one after the other, and resolves with the first answer. Rejects when none comes. */
export async function forward(message: Buffer, servers: readonly string[]): Promise<Buffer> {
  let failure: unknown = new Error('there is no server outside')
  for (const server of servers) {
    try {
      return await exchange(message, server)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** One query over UDP under an id of its own, which nobody else can guess. */
function exchange(query: Buffer, server: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(server.includes(':') ? 'udp6' : 'udp4')
    const id = randomInt(0x10000)
    const message = Buffer.from(query)
    message.writeUInt16BE(id)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      socket.close()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(new Error(`${server} does not answer`))), patienceMs)
    socket.once('error', (error) => end(() => reject(error)))
    socket.on('message', (answer) => {
      if (answer.length < 12 || answer.readUInt16BE(0) !== id) return
      answer.writeUInt16BE(query.readUInt16BE(0))
      end(() => resolve(answer))
    })
    // connected: answers of others are not taken, and a refusal is told
    socket.connect(53, server, () => socket.send(message))
  })
}
