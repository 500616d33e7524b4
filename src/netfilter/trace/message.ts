import { header, type PacketHeader } from './header.js'

/** What the kernel reports of a traced packet in one chain of nftables, to which iptables-nft belongs too. */
export interface TraceMessage {
  /** Of the packet while it is in one namespace; ids are reused. */
  readonly id: number
  /** Of the table: `ip`, `ip6`, `inet`, … */
  readonly family: string
  readonly table: string
  readonly chain: string
  /** `rule`: all conditions of a rule hold. `return`: a chain that is not a base chain ends. `policy`: a base chain ends. */
  readonly type: 'rule' | 'return' | 'policy'
  /** Of the rule. */
  readonly handle?: number | undefined
  readonly verdict?: TraceVerdict | undefined
  readonly policy?: 'accept' | 'drop' | undefined
  /** The packet mark after the rule. */
  readonly mark: number
  /** The fields that the kernel reports once in each base chain. */
  readonly packet?: TracedPacketFields | undefined
}

/** What a rule does; `chain` of a jump or goto. */
export interface TraceVerdict {
  readonly kind: string
  readonly chain?: string | undefined
}

/** The packet as it enters a base chain. */
export interface TracedPacketFields {
  /** Interface indexes. */
  readonly in?: number | undefined
  readonly out?: number | undefined
  /** Undefined if the packet is not IP. */
  readonly header?: PacketHeader | undefined
  /** Absent before connection tracking, and on kernels that do not report it. */
  readonly connection?:
    { readonly id?: number | undefined; readonly reply: boolean; readonly state: ConnectionState } | undefined
}

/** As `-m conntrack --ctstate` names it. */
export type ConnectionState = 'INVALID' | 'ESTABLISHED' | 'RELATED' | 'NEW' | 'UNTRACKED'

/** Multicast group of netlink that reports traces (NFNLGRP_NFTRACE in linux/netfilter/nfnetlink.h). */
export const traceGroup = 9

/** NFNL_SUBSYS_NFTABLES and NFT_MSG_TRACE (linux/netfilter/nfnetlink.h, nf_tables.h). */
const traceMessageType = (10 << 8) | 17
const netlinkHeaderBytes = 16
const netfilterHeaderBytes = 4

/** Attributes of a trace (enum nft_trace_attributes in linux/netfilter/nf_tables.h). */
const attribute = {
  ...{ table: 1, chain: 2, handle: 3, type: 4, verdict: 5, id: 6, network: 8, transport: 9 },
  ...{ in: 10, out: 12, mark: 14, protocol: 15, policy: 16 },
  ...{ connection: 18, direction: 19, state: 21 },
} as const
const types = [undefined, 'policy', 'return', 'rule'] as const
const families: Readonly<Record<number, string>> = {
  1: 'inet',
  2: 'ip',
  3: 'arp',
  5: 'netdev',
  7: 'bridge',
  10: 'ip6',
}
const verdicts: Readonly<Record<number, string>> = {
  ...{ 0: 'drop', 1: 'accept', 2: 'stolen', 3: 'queue', 4: 'repeat' },
  ...{ [-1]: 'continue', [-2]: 'break', [-3]: 'jump', [-4]: 'goto', [-5]: 'return' },
}
/** Bits of the state of a connection (NF_CT_STATE_BIT in linux/netfilter/nf_conntrack_common.h). */
const states: readonly (readonly [number, ConnectionState])[] = [
  [1, 'INVALID'],
  [2, 'ESTABLISHED'],
  [4, 'RELATED'],
  [8, 'NEW'],
  [64, 'UNTRACKED'],
]

/**
 * Reads netlink messages about traces from the start of a buffer; `rest` is the incomplete message at its end. Messages of
 * other types are skipped. The byte order of lengths is that of this host, as netlink defines it.
 */
export function readTraceMessages(bytes: Buffer): {
  readonly messages: readonly TraceMessage[]
  readonly rest: Buffer
} {
  const messages: TraceMessage[] = []
  let start = 0
  while (start + netlinkHeaderBytes <= bytes.length) {
    const length = bytes.readUInt32LE(start)
    const end = start + aligned(length)
    if (length < netlinkHeaderBytes || end > bytes.length) break
    if (bytes.readUInt16LE(start + 4) === traceMessageType) {
      const message = readMessage(bytes.subarray(start + netlinkHeaderBytes, start + length))
      if (message !== undefined) messages.push(message)
    }
    start = end
  }
  return { messages, rest: bytes.subarray(start) }
}

function readMessage(body: Buffer): TraceMessage | undefined {
  const fields = attributes(body.subarray(netfilterHeaderBytes))
  const type = types[number(fields.get(attribute.type)) ?? 0]
  const id = number(fields.get(attribute.id))
  if (type === undefined || id === undefined) return undefined
  const handle = fields.get(attribute.handle)
  return {
    id,
    family: families[body[0] ?? 0] ?? '',
    table: nullTerminated(fields.get(attribute.table)),
    chain: nullTerminated(fields.get(attribute.chain)),
    type,
    handle: handle === undefined ? undefined : Number(handle.readBigUInt64BE()),
    verdict: verdict(fields.get(attribute.verdict)),
    policy: policyOf(number(fields.get(attribute.policy))),
    mark: number(fields.get(attribute.mark)) ?? 0,
    packet: packetOf(fields),
  }
}

function packetOf(fields: ReadonlyMap<number, Buffer>): TracedPacketFields | undefined {
  const network = fields.get(attribute.network)
  const [incoming, out] = [number(fields.get(attribute.in)), number(fields.get(attribute.out))]
  if (network === undefined && incoming === undefined && out === undefined) return undefined
  const bits = number(fields.get(attribute.state))
  const state = states.find(([bit]) => bit === bits)?.[1]
  return {
    in: incoming,
    out,
    header: network && header(network, fields.get(attribute.transport)),
    connection: state && {
      id: number(fields.get(attribute.connection)),
      reply: fields.get(attribute.direction)?.[0] === 1,
      state,
    },
  }
}

function verdict(bytes: Buffer | undefined): TraceVerdict | undefined {
  if (bytes === undefined) return undefined
  const fields = attributes(bytes)
  const kind = verdicts[fields.get(1)?.readInt32BE() ?? NaN]
  const chain = fields.get(2)
  return kind === undefined ? undefined : { kind, chain: chain && nullTerminated(chain) }
}

function policyOf(code: number | undefined): TraceMessage['policy'] {
  return code === undefined ? undefined : code === 0 ? 'drop' : 'accept'
}

/** The values of netlink attributes by their type. */
function attributes(bytes: Buffer): Map<number, Buffer> {
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

function aligned(length: number): number {
  return (length + 3) & ~3
}

function number(bytes: Buffer | undefined): number | undefined {
  return bytes?.length === 4 ? bytes.readUInt32BE() : undefined
}

function nullTerminated(bytes: Buffer | undefined): string {
  return bytes === undefined ? '' : bytes.toString('utf8').replace(/\0.*$/s, '')
}
