import { integer, list, range, text, word } from '../formats.js'
import { flag, negatable, required, toggle, value, type Options } from '../option.js'

/**
 * Matches on addresses, interfaces and the rest of the packet; iptables-extensions(8): addrtype, iprange, physdev, mac,
 * pkttype, length, ttl, hl, rt, rpfilter, owner, policy, u32, comment.
 */
export const packetMatches = {
  /** By the type of an address in the routing tables: LOCAL, BROADCAST, … */
  addrtype: {
    srcType: negatable(list),
    dstType: negatable(list),
    limitIfaceIn: flag,
    limitIfaceOut: flag,
  },
  /** `first-last` */
  iprange: { srcRange: negatable(word), dstRange: negatable(word) },
  /** Ports of a bridge. */
  physdev: {
    physdevIsIn: toggle,
    physdevIn: negatable(word),
    physdevIsOut: toggle,
    physdevOut: negatable(word),
    physdevIsBridged: toggle,
  },
  mac: { macSource: required(negatable(word)) },
  pkttype: { pktType: required(negatable(word)) },
  length: { length: required(negatable(range)) },
  ttl: { ttlEq: negatable(integer), ttlLt: value(integer), ttlGt: value(integer) },
  hl: { hlEq: negatable(integer), hlLt: value(integer), hlGt: value(integer) },
  /** A routing header of IPv6. */
  rt: { rtType: negatable(integer), rtSegsleft: negatable(range), rtLen: negatable(integer) },
  /** Whether a reply to the packet's source would leave by its incoming interface. */
  rpfilter: { loose: flag, validmark: flag, acceptLocal: flag, invert: flag },
  /** The socket of a packet that the node itself sends. */
  owner: {
    socketExists: toggle,
    uidOwner: negatable(word),
    gidOwner: negatable(word),
    supplGroups: flag,
  },
  /** IPsec. */
  policy: { dir: required(value(word)), pol: required(value(word)) },
  /** Bits of the packet, in the match's own language. */
  u32: { u32: required(negatable(text)) },
  comment: { comment: required(value(text)) },
} as const satisfies Readonly<Record<string, Options>>
