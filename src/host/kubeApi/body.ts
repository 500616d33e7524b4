import type { IncomingMessage } from 'node:http'
import { requestTooLarge } from '../../apiserver/status.js'

// The API server's limit for request bodies.
const maxBodyBytes = 3 * 2 ** 20

/** The body of a request; throws a 413 Status when it is too large. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Read the body to the end: a client that is still writing would not see the response.
    if (length <= maxBodyBytes) chunks.push(chunk)
  }
  if (length > maxBodyBytes) throw requestTooLarge(`limit is ${maxBodyBytes}`)
  return Buffer.concat(chunks)
}
