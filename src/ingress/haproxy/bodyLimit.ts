import type { Line } from './section.js'

/** Of a body that does not tell its length HAProxy looks at this much: a buffer has 16 KB, headers among them. */
const seenBytes = 12_000

/** No length is told: the body is chunked, or comes over HTTP/2 as it is made. */
const unsized = ['!{', 'req.fhdr(content-length)', '-m', 'found', '}']

/**
 * What answers bodies above a limit with 413: by the length that they tell, or by what comes of them. What does not tell its
 * length, and grows longer than HAProxy can look ahead, is asked for it: 411. A stream of messages (gRPC) is not waited for.
 */
export function bodyLimit(most: number, isStream: boolean): Line[] {
  const refuse = (status: number, ...conditions: readonly (string | number)[]): Line => [
    ...['http-request', 'return', 'status', status, 'if'],
    ...conditions,
  ]
  const over = (limit: number) => ['{', 'req.body_size', 'gt', limit, '}']
  if (isStream) return [refuse(413, ...over(most))]
  const atLeast = Math.min(most + 1, seenBytes)
  return [
    ['http-request', 'wait-for-body', 'time', '10s', 'at-least', atLeast, 'if', ...unsized],
    refuse(413, ...over(most)),
    ...(most < seenBytes ? [] : [refuse(411, ...unsized, ...over(seenBytes - 1))]),
  ]
}
