import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Status } from '../../apiserver/status.js'

/** A whole response, as opposed to a watch. */
export interface Answer {
  readonly code: number
  readonly contentType: string
  readonly body: string
}

/** A JSON answer; a person's client asks for `?pretty=true`. */
export function jsonAnswer(
  value: unknown,
  pretty = false,
  contentType = 'application/json',
  code = 200,
): Answer {
  return { code, contentType, body: `${JSON.stringify(value, null, pretty ? 2 : 0)}\n` }
}

/** The answer to a request that failed. */
export function statusAnswer(status: Status): Answer {
  return jsonAnswer(status, false, 'application/json', status.code)
}

/** A short plain text. */
export function textAnswer(body: string): Answer {
  return { code: 200, contentType: 'text/plain; charset=utf-8', body }
}

// From this size on the API server compresses, for clients that take it, at this level.
const worthCompressing = 128 * 1024
const level = constants.Z_BEST_SPEED

const compress = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Sends an answer, compressed when it is large and the client takes gzip. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const body = Buffer.from(answer.body)
  const zipped = body.length > worthCompressing && takesGzip(request.headers['accept-encoding'])
  const sent = zipped ? await compress(body, { level }) : body
  response.writeHead(answer.code, {
    'Content-Type': answer.contentType,
    'Content-Length': sent.length,
    'Cache-Control': 'no-cache, private',
    ...(zipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept, Accept-Encoding' } : { Vary: 'Accept' }),
    ...(answer.code === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : sent)
}

function takesGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '').split(',')
  return codings.some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding))
}
