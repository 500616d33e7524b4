import { closeSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import type { Sandbox } from './sandbox.js'

/**
 * Connects to a Unix socket inside a sandbox, whatever the length of its path, and follows no links. As with Node's `connect`,
 * a failure is an error event of the connection.
 */
export function connectInside({ inside }: Pick<Sandbox, 'inside'>, path: string): Socket {
  let file: number
  try {
    file = inside.openSocket(path)
  } catch (error) {
    const none = new Socket()
    // asynchronous, as for a refused connection: the caller listens for errors by then
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
