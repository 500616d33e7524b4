import { constants, deflateRawSync, deflateSync, inflateRawSync } from 'node:zlib'

/** The words that SPDY/3 compresses headers with (section 2.6.10.1), each after its length of 4 bytes; then a text. */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow ' +
  'authorization cache-control connection content-base content-encoding content-language content-length ' +
  'content-location content-md5 content-range content-type date etag expect expires from host if-match ' +
  'if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
  'proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade ' +
  'user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie ' +
  'keep-alive origin'
const text =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden' +
  '404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.'

const windowBytes = 32 * 1024
const maxHeaderBytes = 64 * 1024

/** The zlib dictionary of SPDY/3: 1,423 bytes. */
export function spdyDictionary(): Buffer {
  const prefixed = words.split(' ').map((word) => counted(word.replace('_', ' ')))
  return Buffer.concat([...prefixed, Buffer.from(text)])
}

/** Headers by name in lower case. */
export type Headers = Readonly<Record<string, string>>

/**
 * Reads the header blocks of one connection. They are one zlib stream that is flushed after each block, so that each is
 * inflated with what came before it as its dictionary. Throws when a block is invalid.
 */
export function headerReader(): (block: Buffer) => Headers {
  let window = spdyDictionary()
  let first = true
  return (block) => {
    const compressed = first ? block.subarray(hasDictionaryId(block) ? 6 : 2) : block
    first = false
    const plain = inflateRawSync(compressed, {
      dictionary: window,
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maxHeaderBytes,
    })
    window = Buffer.concat([window, plain]).subarray(-windowBytes)
    return parse(plain)
  }
}

/** Writes the header blocks of one connection: those of replies, which have no headers. */
export function emptyHeaderWriter(): () => Buffer {
  const none = Buffer.alloc(4)
  const finishFlush = constants.Z_SYNC_FLUSH
  let first = true
  return () => {
    const start = first
    first = false
    return start
      ? deflateSync(none, { dictionary: spdyDictionary(), finishFlush })
      : deflateRawSync(none, { finishFlush })
  }
}

/** The FDICT bit of a zlib stream's second byte (RFC 1950). */
function hasDictionaryId(block: Buffer): boolean {
  return ((block[1] ?? 0) & 0x20) !== 0
}

function parse(plain: Buffer): Headers {
  let position = 0
  const number = () => {
    position += 4
    return plain.readUInt32BE(position - 4)
  }
  const string = () => {
    const length = number()
    if (position + length > plain.length) throw new RangeError('a header of SPDY is too long')
    position += length
    return plain.toString('utf8', position - length, position)
  }
  const pairs: [string, string][] = []
  for (let left = number(); left > 0; left--) pairs.push([string(), string()])
  return Object.fromEntries(pairs)
}

function counted(word: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(word.length)
  return Buffer.concat([length, Buffer.from(word)])
}
