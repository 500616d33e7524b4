import type { IpFamily } from '../../net/ipFamily.js'
import { matchOf, type Match, type Rule } from '../../netfilter/rules/model.js'
import type { PolicyChainRule } from './policyChains.js'

/** A rule of the agent as nft lists it, without its chain; throws for what no rule of the agent has. */
export function nftRule({ rule, returns, note }: PolicyChainRule, family: IpFamily): string {
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const { source, destination, protocol, matches } = rule
  const hasPorts = matches.some((match) => 'dport' in match || match.kind === 'multiport')
  const comment = note ?? matchOf(rule, 'comment')?.comment
  return [
    ...(source === undefined ? [] : [`${ip} saddr ${withoutFullLength(source.value)}`]),
    ...(destination === undefined ? [] : [`${ip} daddr ${withoutFullLength(destination.value)}`]),
    ...matches.flatMap((match) => condition(match, rule, ip)),
    ...(protocol === undefined || hasPorts || isIcmp(rule) ? [] : [`meta l4proto ${protocol.value}`]),
    verdict(rule),
    ...(returns === true ? ['return'] : []),
    ...(comment === undefined ? [] : [`comment "${comment}"`]),
  ].join(' ')
}

/** The name of a set in a table, which has only sets of one family. */
export function nftSetName(name: string): string {
  return name.replace(/^inet6:/, '')
}

function withoutFullLength(range: string): string {
  return range.replace(range.includes(':') ? /\/128$/ : /\/32$/, '')
}

function condition(match: Match, { protocol }: Rule, ip: 'ip' | 'ip6'): string[] {
  switch (match.kind) {
    case 'comment':
      return []
    case 'set': {
      const { name = '', fields } = match.matchSet?.value ?? {}
      return [`${ip} ${fields?.[0] === 'src' ? 'saddr' : 'daddr'} @${nftSetName(name)}`]
    }
    case 'tcp':
    case 'udp':
    case 'sctp':
      return match.dport === undefined ? [] : [`${match.kind} dport ${range(match.dport.value)}`]
    case 'multiport':
      return [`${protocol?.value} dport ${(match.dports?.value ?? []).map(range).join(', ')}`]
    case 'addrtype':
      return [`fib ${match.srcType === undefined ? 'daddr' : 'saddr'} type local`]
    case 'conntrack': {
      const states = (match.ctstate?.value ?? []).map((state) => state.toLowerCase())
      return [`ct state ${inOrder(states).join(',')}`]
    }
    case 'icmp':
      return [`icmp type ${typeName(match.icmpType.value, icmpNames)}`]
    case 'icmp6':
      return [`icmpv6 type ${typeName(match.icmpv6Type.value, icmpv6Names)}`]
    case 'mark': {
      const { value, mask } = match.mark.value
      return [`meta mark & ${bits(mask)} ${match.mark.negated === true ? '!=' : '=='} ${bits(value)}`]
    }
    case 'limit':
      return [`limit rate ${match.limit.packets}/minute burst ${match.limitBurst} packets`]
    default:
      throw new Error(`no rule of policies has the match ${match.kind}`)
  }
}

/** Connection states in the order in which nft lists them. */
function inOrder(states: readonly string[]): string[] {
  return ['invalid', 'established', 'related', 'new', 'untracked'].filter((state) => states.includes(state))
}

function isIcmp({ matches }: Rule): boolean {
  return matches.some(({ kind }) => kind === 'icmp' || kind === 'icmp6')
}

function range({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`
}

/** As nft lists marks. */
function bits(mark: number): string {
  return `0x${(mark >>> 0).toString(16).padStart(8, '0')}`
}

const icmpNames: Readonly<Record<number, string>> = {
  ...{ 3: 'destination-unreachable', 8: 'echo-request', 11: 'time-exceeded' },
}

const icmpv6Names: Readonly<Record<number, string>> = {
  ...{ 1: 'destination-unreachable', 3: 'time-exceeded', 128: 'echo-request', 129: 'echo-reply' },
  ...{ 135: 'nd-neighbor-solicit', 136: 'nd-neighbor-advert' },
}

function typeName(
  of: 'any' | { readonly type: number },
  names: Readonly<Record<number, string>>,
): string | number {
  if (of === 'any') throw new Error('no rule of policies has all types of ICMP')
  return names[of.type] ?? of.type
}

function verdict({ target }: Rule): string {
  switch (target?.kind) {
    case 'jump':
      return `jump ${target.chain}`
    case 'ACCEPT':
    case 'DROP':
    case 'RETURN':
      return target.kind.toLowerCase()
    // without an answer of its own: that the port is unreachable
    case 'REJECT':
      return 'reject'
    case 'NFLOG':
      return `log group ${target.nflogGroup}`
    case 'MARK': {
      const { value, mask } = target.setXmark ?? { value: 0, mask: 0 }
      return `meta mark set meta mark ${value === 0 ? `& ${bits(~mask)}` : `| ${bits(value)}`}`
    }
    default:
      throw new Error(`no rule of policies has the target ${target?.kind}`)
  }
}
