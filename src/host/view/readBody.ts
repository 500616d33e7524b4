import type { IncomingMessage } from 'node:http'
import { HttpError } from './httpError.js'

/** The body of a request as text. Throws HttpError if it is larger than `most` bytes, or of a type that HTML forms can send. */
export async function readBody(request: IncomingMessage, most: number): Promise<string> {
  const tooLarge = new HttpError(413, `a body may have at most ${most} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) throw tooLarge
    chunks.push(chunk)
  }
  if (
    length > 0 &&
    !/^application\/([\w.-]+\+)?(json|yaml) *(;|$)/i.test(request.headers['content-type'] ?? '')
  )
    throw new HttpError(415, 'the type of the body must be application/json')
  return Buffer.concat(chunks).toString('utf8')
}
