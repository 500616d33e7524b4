import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import { addrtype } from './addrtype.js'
import { all, no, said, unknown, yes, type Answer } from './answer.js'
import { balancing } from './balancing.js'
import { ipset } from './ipset.js'
import { hashlimit, limit, opposite, withinConnections, withinQuota } from './limits.js'
import { iprange } from './matchAddress.js'
import { connmark, conntrack, states } from './matchConnection.js'
import { flags, icmp, multiport, ports } from './matchTransport.js'
import { owner } from './owner.js'
import { recent } from './recent.js'
import type { Seen } from './seen.js'

type Matchers = {
  readonly [Kind in Match['kind']]?: (match: Extract<Match, { readonly kind: Kind }>, seen: Seen) => Answer
}

/** How each match of iptables is evaluated. */
const matchers: Matchers = {
  comment: () => yes,
  nfacct: () => yes,
  tcp: (match, { packet }) => {
    if (packet.protocol !== 'tcp') return no(`the protocol is ${packet.protocol}`)
    if (match.tcpOption) return unknown('TCP options are not predicted')
    return all(ports(match, packet), () => flags(match.tcpFlags, packet))
  },
  udp: ofPorts,
  sctp: (match, seen) =>
    match.chunkTypes
      ? all(ofPorts(match, seen), () => unknown('SCTP chunks are not predicted'))
      : ofPorts(match, seen),
  multiport: (match, { packet }) => multiport(match, packet),
  icmp: (match, { packet }) => icmp(match.icmpType, packet, 'IPv4'),
  icmp6: (match, { packet }) => icmp(match.icmpv6Type, packet, 'IPv6'),
  conntrack,
  state: (match, seen) => states(match.state, seen),
  connmark,
  mark: ({ mark }, { packet }) => {
    const { value, mask } = mark.value
    return said(mark, (packet.mark & mask) >>> 0 === value, `mark 0x${packet.mark.toString(16)}`)
  },
  addrtype,
  iprange,
  recent,
  set: ipset,
  owner,
  limit,
  hashlimit,
  // a random choice is not a condition of the packet
  statistic: ({ mode }) => (mode === 'random' ? yes : unknown('its counter cannot be read from a plan')),
  quota: ({ quota }) => {
    const within = withinQuota(quota.value)
    return quota.negated === true ? opposite(within, 'the quota is not used') : within
  },
  connlimit: ({ connlimitUpto: upto, connlimitAbove: above }, seen) => {
    const within = withinConnections(upto ?? above ?? 0, seen)
    return above === undefined ? within : opposite(within, 'there are no more connections')
  },
  pkttype: ({ pktType }) =>
    // the kernel passes frames for other hosts to iptables as those for this one (setup_pre_routing of br_netfilter)
    said(pktType, pktType.value === 'unicast', 'packets to one host are unicast'),
  physdev,
  ttl: (match, { packet }) => timeToLive([match.ttlEq, match.ttlLt, match.ttlGt], packet),
  hl: (match, { packet }) => timeToLive([match.hlEq, match.hlLt, match.hlGt], packet),
  ipvs: balancing,
  // only an expected connection has the helper of the one before it (helper_mt of Linux)
  helper: ({ helper }) => said(helper, false, 'the connection is not expected by a helper'),
  unknown: () => unknown('this match is not known'),
}

/** Whether a match holds for a packet. */
export function answerOf<Kind extends Match['kind']>(
  match: Extract<Match, { readonly kind: Kind }>,
  seen: Seen,
): Answer {
  const matcher = matchers[match.kind] as
    ((match: Extract<Match, { readonly kind: Kind }>, seen: Seen) => Answer) | undefined
  return matcher?.(match, seen) ?? unknown(`-m ${match.kind} is not predicted`)
}

function ofPorts(match: Extract<Match, { readonly kind: 'udp' | 'sctp' }>, { packet }: Seen): Answer {
  return packet.protocol === match.kind ? ports(match, packet) : no(`the protocol is ${packet.protocol}`)
}

/** Compares a time to live or hop limit that a rule has set. */
function timeToLive(
  [equal, less, greater]: readonly [Negatable<number> | undefined, number | undefined, number | undefined],
  { ttl }: TracedPacket,
): Answer {
  if (ttl === undefined) return unknown('with which time to live hosts send is not known')
  const because = `its time to live is ${ttl}`
  if (equal !== undefined) return said(equal, ttl === equal.value, because)
  return (less === undefined || ttl < less) && (greater === undefined || ttl > greater) ? yes : no(because)
}

/**
 * Whether it came through a port of a bridge: known before it is routed, where the kernel has this of bridges alone; and whether a bridge
 * passes it on to another port, which is known in FORWARD.
 */
function physdev(match: Extract<Match, { readonly kind: 'physdev' }>, seen: Seen): Answer {
  const { hook, balanced, bridged } = seen
  const { kind: _kind, physdevIsIn, ...others } = match
  const { physdevIsBridged, ...rest } = others
  if (
    physdevIsBridged !== undefined &&
    [physdevIsIn, ...Object.values(rest)].every((one) => one === undefined)
  )
    return isBridgedOn(seen, physdevIsBridged)
  const isFirst = hook === 'prerouting' || (hook === 'output' && balanced === undefined)
  const isAlone = Object.values(others).every((value) => value === undefined)
  if (physdevIsIn === undefined || !isAlone || !isFirst) return unknown('-m physdev is not predicted here')
  const isIn = hook === 'prerouting' && bridged === true
  return isIn === physdevIsIn ? yes : no(`it came ${isIn ? '' : 'not '}through a port of a bridge`)
}

function isBridgedOn({ hook, bridged, in: incoming, out }: Seen, wanted: boolean): Answer {
  if (hook === 'postrouting') return unknown('-m physdev is not predicted here')
  const isBridged = hook === 'forward' && bridged === true && incoming === out
  return isBridged === wanted ? yes : no(`a bridge ${isBridged ? 'passes' : 'does not pass'} it on`)
}
