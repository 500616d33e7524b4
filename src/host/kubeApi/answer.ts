import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stringify } from 'yaml'
import { prefersYaml, yamlType } from '../../apiserver/accept.js'
import type { Status } from '../../apiserver/status.js'

/** A complete response; a watch is streamed instead. */
export interface Answer {
  readonly code: number
  readonly contentType: string
  readonly body: string
  /** Sent as Warning headers, which kubectl prints. */
  readonly warnings?: readonly string[]
}

/** A JSON response; `?pretty=true` in the request indents it. */
export function jsonAnswer(
  value: unknown,
  pretty = false,
  contentType = 'application/json',
  code = 200,
): Answer {
  return { code, contentType, body: `${JSON.stringify(value, null, pretty ? 2 : 0)}\n` }
}

/** A response with objects, in YAML if the client prefers it. */
export function objectAnswer(
  { headers }: Pick<IncomingMessage, 'headers'>,
  value: unknown,
  pretty: boolean,
  code = 200,
): Answer {
  if (!prefersYaml(headers.accept)) return jsonAnswer(value, pretty, 'application/json', code)
  // as JSON has it: without fields that are undefined
  return { code, contentType: yamlType, body: stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0 }) }
}

/** The response to a request that failed. */
export function statusAnswer(status: Status): Answer {
  return jsonAnswer(status, false, 'application/json', status.code)
}

/** A plain-text response. */
export function textAnswer(body: string): Answer {
  return { code: 200, contentType: 'text/plain; charset=utf-8', body }
}

// The API server compresses responses of at least this size, at this level, when the client accepts gzip.
const minCompressedBytes = 128 * 1024
const level = constants.Z_BEST_SPEED

const compress = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Sends a response, compressed when it is large and the client accepts gzip. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const body = Buffer.from(answer.body)
  const zipped = body.length > minCompressedBytes && acceptsGzip(request.headers['accept-encoding'])
  const sent = zipped ? await compress(body, { level }) : body
  response.writeHead(answer.code, {
    'Content-Type': answer.contentType,
    'Content-Length': sent.length,
    'Cache-Control': 'no-cache, private',
    ...(zipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept, Accept-Encoding' } : { Vary: 'Accept' }),
    ...(answer.warnings?.length ? { Warning: answer.warnings.map(warningHeader) } : {}),
    ...(answer.code === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : sent)
}

/** A warning as the API server writes it (RFC 7234, with its code for lasting warnings). */
function warningHeader(text: string): string {
  const printable = text.replace(/[^ -~]/g, '?').slice(0, 1000)
  return `299 - "${printable.replaceAll(/["\\]/g, '\\$&')}"`
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '').split(',')
  return codings.some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding))
}
