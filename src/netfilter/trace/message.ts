import { header } from './header.js'
import { loggedMessage, loggedMessageType } from './logged.js'
import {
  netfilterHeaderBytes,
  netlinkAttributes,
  netlinkMessages,
  netlinkNumber,
  netlinkText,
  type NetlinkAttributes,
} from './netlink.js'
import type { ConnectionState, TraceMessage, TracedPacketFields, TraceVerdict } from './types.js'

/** Multicast group of netlink that reports traces (NFNLGRP_NFTRACE in linux/netfilter/nfnetlink.h). */
export const traceGroup = 9

/** NFNL_SUBSYS_NFTABLES and NFT_MSG_TRACE (linux/netfilter/nfnetlink.h, nf_tables.h). */
const traceMessageType = (10 << 8) | 17
/** NLMSG_ERROR (linux/netlink.h). */
const errorType = 2

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
 * Reads messages about traces from the start of a buffer; `rest` is the incomplete message at its end. Messages of other types
 * are skipped. `error` is the number of an error (errno) that the kernel has answered a request with.
 */
export function readTraceMessages(bytes: Buffer): {
  readonly messages: readonly TraceMessage[]
  readonly error: number | undefined
  readonly rest: Buffer
} {
  const { messages, rest } = netlinkMessages(bytes)
  const errors = messages.map(({ type, body }) => (type === errorType ? -body.readInt32LE() : 0))
  return {
    messages: messages.flatMap(({ type, body }) => {
      if (type === traceMessageType) return readMessage(body) ?? []
      return type === loggedMessageType ? (loggedMessage(body) ?? []) : []
    }),
    error: errors.find((error) => error !== 0),
    rest,
  }
}

function readMessage(body: Buffer): TraceMessage | undefined {
  const fields = netlinkAttributes(body.subarray(netfilterHeaderBytes))
  const type = types[netlinkNumber(fields.get(attribute.type)) ?? 0]
  const id = netlinkNumber(fields.get(attribute.id))
  if (type === undefined || id === undefined) return undefined
  const handle = fields.get(attribute.handle)
  return {
    id,
    family: families[body[0] ?? 0] ?? '',
    table: netlinkText(fields.get(attribute.table)),
    chain: netlinkText(fields.get(attribute.chain)),
    type,
    handle: handle === undefined ? undefined : Number(handle.readBigUInt64BE()),
    verdict: verdict(fields.get(attribute.verdict)),
    policy: policyOf(netlinkNumber(fields.get(attribute.policy))),
    mark: netlinkNumber(fields.get(attribute.mark)) ?? 0,
    packet: packetOf(fields),
  }
}

function packetOf(fields: NetlinkAttributes): TracedPacketFields | undefined {
  const network = fields.get(attribute.network)
  const [incoming, out] = [netlinkNumber(fields.get(attribute.in)), netlinkNumber(fields.get(attribute.out))]
  if (network === undefined && incoming === undefined && out === undefined) return undefined
  const bits = netlinkNumber(fields.get(attribute.state))
  const state = states.find(([bit]) => bit === bits)?.[1]
  return {
    in: incoming,
    out,
    header: network && header(network, fields.get(attribute.transport)),
    connection: state && {
      id: netlinkNumber(fields.get(attribute.connection)),
      reply: fields.get(attribute.direction)?.[0] === 1,
      state,
    },
  }
}

function verdict(bytes: Buffer | undefined): TraceVerdict | undefined {
  if (bytes === undefined) return undefined
  const fields = netlinkAttributes(bytes)
  const kind = verdicts[fields.get(1)?.readInt32BE() ?? NaN]
  const chain = fields.get(2)
  return kind === undefined ? undefined : { kind, chain: chain && netlinkText(chain) }
}

function policyOf(code: number | undefined): TraceMessage['policy'] {
  return code === undefined ? undefined : code === 0 ? 'drop' : 'accept'
}
