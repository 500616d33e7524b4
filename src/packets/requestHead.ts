/** What the head of an HTTP/1 request says. */
export interface RequestHead {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** By name in lower case; of several of one name the values with commas between them. */
  readonly headers: Readonly<Record<string, string>>
}

/** More than the head of any request that a lab sends has in one segment. */
const longestHead = 16_384

const requestLine = /^([A-Z]{3,16}) (\S+) HTTP\/1\.[01]$/

/** A header of the PROXY protocol, version 1, may come before. */
const proxyHeader = /^PROXY [^\r]{1,100}\r\n/

/** The head of a request that starts in these bytes, as far as they hold it; undefined where none does. */
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

/** Where the head ends, or its last whole line where the bytes hold no more of it. */
function endOf(text: string): number {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 ? end : Math.max(0, text.lastIndexOf('\r\n'))
}
