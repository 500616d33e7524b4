import { closeSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import type { Sandbox } from './sandbox.js'

/**
 * A connection to a socket's file inside a sandbox, however long its path is; a link leads nowhere. Like that of Node's
 * `connect`, a failure is the connection's error.
 */
export function connectInside({ inside }: Pick<Sandbox, 'inside'>, path: string): Socket {
  let file: number
  try {
    file = inside.openSocket(path)
  } catch (error) {
    const none = new Socket()
    // as late as a refused connection would be: who asked listens by then
    setImmediate(() => none.destroy(error as Error))
    return none
  }
  const socket = connect(`/proc/self/fd/${file}`)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return socket.once('connect', close).once('close', close)
}
