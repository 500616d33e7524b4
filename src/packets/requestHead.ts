/** The head of an HTTP/1 request. */
export interface RequestHead {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** Values by lower-case name; several values of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
}

/** Maximum bytes to read; heads of requests in labs are shorter. */
const longestHead = 16_384

const requestLine = /^([A-Z]{3,16}) (\S+) HTTP\/1\.[01]$/

/** A PROXY protocol header, version 1, that may precede the request. */
const proxyHeader = /^PROXY [^\r]{1,100}\r\n/

/** The head of a request that starts in these bytes, possibly truncated; undefined if no request starts here. */
export function readRequestHead(bytes: Buffer, start: number, end: number): RequestHead | undefined {
  const first = start < end ? bytes.readUInt8(start) : 0
  if (first < 0x41 || first > 0x5a) return undefined
  const text = bytes.toString('latin1', start, Math.min(end, start + longestHead)).replace(proxyHeader, '')
  const head = text.slice(0, endOf(text))
  const [line = '', ...fields] = head.split('\r\n')
  const match = requestLine.exec(line)
  if (match === null) return undefined
  const headers = new Map<string, string>()
  for (const field of fields) {
    const colon = field.indexOf(':')
    if (colon <= 0) continue
    const name = field.slice(0, colon).toLowerCase()
    const value = field.slice(colon + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { method: match[1] ?? '', target: match[2] ?? '', headers: Object.fromEntries(headers) }
}

/** The end of the head, or of its last complete line if the head is truncated. */
function endOf(text: string): number {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 ? end : Math.max(0, text.lastIndexOf('\r\n'))
}
