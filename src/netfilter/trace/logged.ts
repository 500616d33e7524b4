import { header } from './header.js'
import {
  netfilterHeaderBytes,
  netfilterRequest,
  netlinkAttributes,
  netlinkNumber,
  netlinkText,
} from './netlink.js'
import type { TraceMessage } from './types.js'

/** NFNL_SUBSYS_ULOG with NFULNL_MSG_PACKET and NFULNL_MSG_CONFIG (linux/netfilter/nfnetlink_log.h). */
export const loggedMessageType = 4 << 8
const configureType = (4 << 8) | 1
/** Attributes of a packet (enum nfulnl_attr_type) and of a configuration (enum nfulnl_attr_config). */
const attribute = { mark: 2, payload: 9, prefix: 10 } as const
const configure = { command: 1, mode: 2 } as const
/** Commands (enum nfulnl_msg_config_cmds), and the mode that copies the start of a packet. */
const [bindGroup, bindFamily, copyPacket] = [1, 3, 2]
/** As much as headers of IP and of the protocol inside need, also of a packet inside an ICMP error. */
const copiedBytes = 128
const families: Readonly<Record<number, string>> = { 2: 'ip', 10: 'ip6' }

/**
 * Requests after which the kernel sends what iptables-legacy reports of traced packets to the socket that they come from. A
 * packet is traced there by the same bit as in nftables (nf_trace of a socket buffer).
 */
export const loggingRequests = Buffer.concat([
  ...Object.keys(families).map((family) =>
    netfilterRequest(configureType, Number(family), new Map([[configure.command, Buffer.of(bindFamily)]])),
  ),
  // the kernel logs traces to group 0
  netfilterRequest(
    configureType,
    0,
    new Map([
      [configure.command, Buffer.of(bindGroup)],
      [configure.mode, Buffer.of(0, 0, 0, copiedBytes, copyPacket, 0)],
    ]),
  ),
])

/**
 * What a rule or policy of iptables-legacy reports of a traced packet; undefined for packets that the target LOG logs. The
 * packet and its mark are those before the rule.
 */
export function loggedMessage(body: Buffer): TraceMessage | undefined {
  const fields = netlinkAttributes(body.subarray(netfilterHeaderBytes))
  // a chain of iptables has no colon in its name, and neither has a table
  const [, table, chain, type, number] =
    /^TRACE: ([^:]+):([^:]+):(rule|return|policy):(\d+) /.exec(netlinkText(fields.get(attribute.prefix))) ??
    []
  const family = families[body[0] ?? 0]
  if (table === undefined || chain === undefined || family === undefined) return undefined
  const payload = fields.get(attribute.payload) ?? Buffer.alloc(0)
  const ipv4Bytes = ((payload[0] ?? 0) & 0xf) * 4
  const headerBytes = family === 'ip' ? ipv4Bytes : 40
  return {
    id: undefined,
    ...{ family, table, chain },
    type: type as TraceMessage['type'],
    number: Number(number),
    mark: netlinkNumber(fields.get(attribute.mark)) ?? 0,
    packet: { header: header(payload.subarray(0, headerBytes), payload.subarray(headerBytes)) },
  }
}
