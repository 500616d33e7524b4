import type { Line } from './section.js'

/** HAProxy inspects this much of a body without a length: a buffer has 16 KB, including headers. */
const inspectedBytes = 12_000

/** Without a Content-Length: the body is chunked, or streamed over HTTP/2. */
const unsized = ['!{', 'req.fhdr(content-length)', '-m', 'found', '}']

/**
 * Answers bodies above a limit with 413: by Content-Length, or by the bytes received. A body without a length that exceeds
 * what HAProxy can inspect gets 411. A stream of messages (gRPC) is not buffered.
 */
export function bodyLimit(most: number, isStream: boolean): Line[] {
  const reject = (status: number, ...conditions: readonly (string | number)[]): Line => [
    ...['http-request', 'return', 'status', status, 'if'],
    ...conditions,
  ]
  const over = (limit: number) => ['{', 'req.body_size', 'gt', limit, '}']
  if (isStream) return [reject(413, ...over(most))]
  const atLeast = Math.min(most + 1, inspectedBytes)
  return [
    ['http-request', 'wait-for-body', 'time', '10s', 'at-least', atLeast, 'if', ...unsized],
    reject(413, ...over(most)),
    ...(most < inspectedBytes ? [] : [reject(411, ...unsized, ...over(inspectedBytes - 1))]),
  ]
}
