/** A message of netlink; `body` is what follows its header. */
export interface NetlinkMessage {
  readonly type: number
  readonly body: Buffer
}

/** The values of attributes by their type. */
export type NetlinkAttributes = ReadonlyMap<number, Buffer>

const headerBytes = 16
/** NLM_F_REQUEST (linux/netlink.h). */
const isRequest = 1

/** Of nfgenmsg (linux/netfilter/nfnetlink.h): family, version, and a resource number of the subsystem. */
export const netfilterHeaderBytes = 4

/**
 * Reads messages from the start of a buffer; `rest` is the incomplete message at its end. The byte order of lengths is that of
 * this host, as netlink defines it.
 */
export function netlinkMessages(bytes: Buffer): {
  readonly messages: readonly NetlinkMessage[]
  readonly rest: Buffer
} {
  const messages: NetlinkMessage[] = []
  let start = 0
  while (start + headerBytes <= bytes.length) {
    const length = bytes.readUInt32LE(start)
    const end = start + aligned(length)
    if (length < headerBytes || end > bytes.length) break
    const body = bytes.subarray(start + headerBytes, start + length)
    messages.push({ type: bytes.readUInt16LE(start + 4), body })
    start = end
  }
  return { messages, rest: bytes.subarray(start) }
}

/** A message to the kernel, about a family of addresses. */
export function netfilterRequest(type: number, family: number, given: NetlinkAttributes): Buffer {
  const parts = [...given].flatMap(([kind, value]) => {
    const bytes = Buffer.alloc(aligned(4 + value.length))
    bytes.writeUInt16LE(4 + value.length, 0)
    bytes.writeUInt16LE(kind, 2)
    value.copy(bytes, 4)
    return [bytes]
  })
  const header = Buffer.alloc(headerBytes + netfilterHeaderBytes)
  header.writeUInt16LE(type, 4)
  header.writeUInt16LE(isRequest, 6)
  header[headerBytes] = family
  const message = Buffer.concat([header, ...parts])
  message.writeUInt32LE(message.length, 0)
  return message
}

/** Reads attributes one after the other. */
export function netlinkAttributes(bytes: Buffer): NetlinkAttributes {
  const found = new Map<number, Buffer>()
  let start = 0
  while (start + 4 <= bytes.length) {
    const length = bytes.readUInt16LE(start)
    if (length < 4 || start + length > bytes.length) break
    // the two highest bits are flags
    found.set(bytes.readUInt16LE(start + 2) & 0x3fff, bytes.subarray(start + 4, start + length))
    start += aligned(length)
  }
  return found
}

/** A number of 32 bits in network byte order. */
export function netlinkNumber(bytes: Buffer | undefined): number | undefined {
  return bytes?.length === 4 ? bytes.readUInt32BE() : undefined
}

/** Text up to its first NUL. */
export function netlinkText(bytes: Buffer | undefined): string {
  return bytes === undefined ? '' : bytes.toString('utf8').replace(/\0.*$/s, '')
}

function aligned(length: number): number {
  return (length + 3) & ~3
}
