import { networkHolds, parseNetwork, type Network } from '../../net/address.js'
import { headerFlags } from '../../netfilter/rules/headerOptions.js'
import type { Match, Rule } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { matchText } from '../../netfilter/rules/render.js'
import { tracedSocketText, type TracedPacket } from '../../snapshot/model/packet.js'
import { ctStates, type Tracked } from '../walk/connection.js'
import { addrtype } from './addrtype.js'
import { no, said, unknown, yes, all, type Answer, type StateEffect } from './answer.js'
import { balancing } from './balancing.js'
import { ipset } from './ipset.js'
import { flags, icmp, multiport, ports } from './matchTransport.js'
import { recent } from './recent.js'
import type { Seen } from './seen.js'

/** A condition that did not hold, or that the state does not decide. */
export interface Decided extends Answer {
  readonly condition?: string
  /** Changes by conditions after one that is not decided, or after a random choice. */
  readonly pending?: readonly StateEffect[]
}

/** Evaluates the conditions of a rule, in their order. A random choice counts as `yes`: see `chanceOf`. */
export function matchRule(rule: Rule, seen: Seen): Decided {
  let open: Decided | undefined
  let found: Decided['found']
  const pending: StateEffect[] = []
  let isChosen = false
  for (const key of headerKeys) {
    const answer = headerChecks[key](rule, seen)
    if (answer === undefined || answer.holds === 'yes') continue
    const decided = { ...answer, condition: headerText(key, rule) }
    if (answer.holds === 'no') return withEntry(decided, rule, seen)
    open ??= decided
  }
  for (const match of rule.matches) {
    const { effect, ...answer } = answerOf(match, seen)
    found = answer.found ?? found
    if (match.kind === 'statistic') isChosen = true
    if (effect !== undefined && (isChosen || open !== undefined || answer.holds === 'unknown'))
      pending.push(effect)
    else effect?.apply()
    if (answer.holds === 'yes') continue
    const decided = { ...answer, condition: matchText(match).replace(/^-m \S+ /, '') }
    if (answer.holds === 'no') {
      for (const { doubt } of pending) doubt()
      return decided
    }
    open ??= decided
  }
  const decided = open ?? (found === undefined ? yes : { holds: 'yes' as const, found })
  return pending.length === 0 ? decided : { ...decided, pending }
}

/** A rule that does not apply for another reason is still about the entry that it finds in its set. */
function withEntry(decided: Decided, rule: Rule, seen: Seen): Decided {
  const set = rule.matches.find((match) => match.kind === 'set')
  const found = set && ipset(set, seen).found
  return found === undefined ? decided : { ...decided, found }
}

/** Undefined for a rule without the option. */
const headerChecks: Readonly<
  Record<keyof typeof headerFlags, (rule: Rule, seen: Seen) => Answer | undefined>
> = {
  source: ({ source }, { packet }) => source && address(source, packet.source.address, 'source'),
  destination: ({ destination }, { packet }) =>
    destination && address(destination, packet.destination.address, 'destination'),
  inInterface: ({ inInterface }, seen) => inInterface && device(inInterface, seen.in),
  outInterface: ({ outInterface }, seen) => outInterface && device(outInterface, seen.out),
  protocol: ({ protocol }, { packet }) => protocol && ofProtocol(protocol, packet),
  fragment: ({ fragment }) => (fragment === true ? no('it is not a fragment') : undefined),
}

const headerKeys = Object.keys(headerChecks) as (keyof typeof headerFlags)[]

function headerText(key: keyof typeof headerFlags, rule: Rule): string {
  const field = rule[key]
  if (typeof field !== 'object') return headerFlags[key]
  return `${field.negated === true ? '! ' : ''}${headerFlags[key]} ${field.value}`
}

function answerOf(match: Match, seen: Seen): Answer {
  const { packet } = seen
  switch (match.kind) {
    case 'comment':
    case 'nfacct':
      return yes
    // a random choice is not a condition of the packet
    case 'statistic':
      return match.mode === 'random' ? yes : unknown('its counter cannot be read from a plan')
    case 'tcp':
      if (packet.protocol !== 'tcp') return no(`the protocol is ${packet.protocol}`)
      if (match.tcpOption) return unknown('TCP options are not predicted')
      return all(ports(match, packet), () => flags(match.tcpFlags, packet))
    case 'udp':
    case 'sctp':
      if (packet.protocol !== match.kind) return no(`the protocol is ${packet.protocol}`)
      if (match.kind === 'sctp' && match.chunkTypes) return unknown('SCTP chunks are not predicted')
      return ports(match, packet)
    case 'multiport':
      return multiport(match, packet)
    case 'icmp':
      return icmp(match.icmpType, packet, 'IPv4')
    case 'icmp6':
      return icmp(match.icmpv6Type, packet, 'IPv6')
    case 'conntrack':
      return conntrack(match, seen)
    case 'state':
      return states(match.state, seen)
    case 'mark': {
      const { value, mask } = match.mark.value
      return said(match.mark, (packet.mark & mask) >>> 0 === value, `mark 0x${packet.mark.toString(16)}`)
    }
    case 'connmark': {
      // not even its negation matches
      if (typeof seen.tracked !== 'object') return no('no connection')
      const { mark } = seen.tracked.connection
      const { value, mask } = match.mark.value
      return said(match.mark, (mark & mask) >>> 0 === value, `connection mark 0x${mark.toString(16)}`)
    }
    case 'addrtype':
      return addrtype(match, seen)
    case 'recent':
      return recent(match, seen)
    case 'iprange':
      return unknown('ranges of addresses are not predicted')
    case 'set':
      return ipset(match, seen)
    case 'physdev':
      return physdev(match, seen)
    case 'ttl':
      return timeToLive([match.ttlEq, match.ttlLt, match.ttlGt], packet)
    case 'hl':
      return timeToLive([match.hlEq, match.hlLt, match.hlGt], packet)
    case 'unknown':
      return unknown('this match is not known')
    default:
      return balancing(match, seen) ?? unknown(`-m ${match.kind} is not predicted`)
  }
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

/** The networks of options, parsed once; `unknown` for masks with gaps. */
const networks = new WeakMap<Negatable<string>, Network | 'unknown'>()

function address(field: Negatable<string>, own: string, side: string): Answer {
  const network = networks.get(field) ?? networkOf(field.value)
  networks.set(field, network)
  if (network === 'unknown') return unknown('masks with gaps are not predicted')
  return said(field, networkHolds(network, own), `${side} is ${own}`)
}

function networkOf(value: string): Network | 'unknown' {
  const range = value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`
  return parseNetwork(range) ?? 'unknown'
}

function device(field: Negatable<string>, own: string | undefined): Answer {
  const { value } = field
  const fits = value.endsWith('+') ? own?.startsWith(value.slice(0, -1)) === true : own === value
  return said(field, fits, own === undefined ? 'no interface here' : `the interface is ${own}`)
}

const numbers: Readonly<Record<string, TracedPacket['protocol']>> = {
  ...{ '6': 'tcp', '17': 'udp', '132': 'sctp', '1': 'icmp', '58': 'icmp' },
  ...{ 'ipv6-icmp': 'icmp', icmpv6: 'icmp' },
}

function ofProtocol(field: Negatable<string>, { protocol }: TracedPacket): Answer {
  if (field.value === 'all' || field.value === '0') return said(field, true, `the protocol is ${protocol}`)
  return said(field, (numbers[field.value] ?? field.value) === protocol, `the protocol is ${protocol}`)
}

/** Whether it came through a port of a bridge: known before it is routed, where the kernel has this of bridges alone. */
function physdev(
  match: Extract<Match, { readonly kind: 'physdev' }>,
  { hook, balanced, bridged }: Seen,
): Answer {
  const { kind: _kind, physdevIsIn, ...others } = match
  const isFirst = hook === 'prerouting' || (hook === 'output' && balanced === undefined)
  const isAlone = Object.values(others).every((value) => value === undefined)
  if (physdevIsIn === undefined || !isAlone || !isFirst) return unknown('-m physdev is not predicted here')
  const isIn = hook === 'prerouting' && bridged === true
  return isIn === physdevIsIn ? yes : no(`it came ${isIn ? '' : 'not '}through a port of a bridge`)
}

function states(field: Negatable<readonly string[]>, { tracked }: Seen): Answer {
  const own = ctStates(tracked)
  return said(
    field,
    own.some((state) => field.value.includes(state)),
    `the state is ${own[0]}`,
  )
}

function conntrack(match: Extract<Match, { readonly kind: 'conntrack' }>, seen: Seen): Answer {
  const { kind: _kind, ctstate, ctdir, ctproto: _proto, ...rest } = match
  const { tracked } = seen
  const state = ctstate === undefined ? yes : states(ctstate, seen)
  if (state.holds === 'no') return state
  // without a connection, nothing but the state is compared (conntrack_mt of Linux)
  if (typeof tracked !== 'object') return ctstate === undefined ? no('no connection') : yes
  const direction = tracked.direction.toUpperCase()
  if (ctdir !== undefined && direction !== ctdir) return no(`the direction is ${direction}`)
  for (const [field, socket] of entrySides(tracked.connection)) {
    const asked = rest[field]
    if (asked === undefined) continue
    const found = address(asked, socket.address, field)
    if (found.holds !== 'yes')
      return found.holds === 'no' ? no(`${field} is ${tracedSocketText(socket)}`) : found
  }
  const others = Object.entries(rest).some(
    ([key, value]) => value !== undefined && !/^ct(orig|repl)(src|dst)$/.test(key),
  )
  return others || _proto !== undefined ? unknown('this field of the connection is not predicted') : yes
}

function entrySides({ original, reply }: Tracked['connection']) {
  return [
    ['ctorigsrc', original.source],
    ['ctorigdst', original.destination],
    ['ctreplsrc', reply.source],
    ['ctrepldst', reply.destination],
  ] as const
}
