import type { Socket } from 'node:net'

/** Limits for the length and time of a line. */
export interface LineLimits {
  readonly bytes: number
  readonly milliseconds?: number | undefined
}

/** The first line from a socket. Throws Error if it is too long or too slow, or if the connection closes first. */
export async function firstLine(socket: Socket, { bytes, milliseconds }: LineLimits): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => fail(`no line in ${milliseconds / 1000} s`), milliseconds)
    const fail = (message: string) => {
      stop()
      reject(new Error(message))
    }
    const take = (chunk: Buffer) => {
      const end = chunk.indexOf('\n')
      const part = end === -1 ? chunk : chunk.subarray(0, end)
      length += part.length
      if (length > bytes) return fail(`a line of more than ${bytes} bytes`)
      chunks.push(part)
      if (end === -1) return
      stop()
      resolve(Buffer.concat(chunks).toString('utf8'))
    }
    const closed = () => fail('the connection was closed')
    const broken = ({ message }: Error) => fail(message)
    const stop = () => {
      clearTimeout(timer)
      socket.off('data', take).off('close', closed).off('end', closed).off('error', broken)
      socket.pause()
    }
    socket.on('data', take).on('close', closed).on('end', closed).on('error', broken)
  })
}
