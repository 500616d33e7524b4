import type { IpFamily } from '../../net/ipFamily.js'
import type * as saved from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { renderRule } from '../../netfilter/rules/render.js'
import { readNatRange } from '../../netfilter/rules/targets/nat.js'
import { savedProbability } from './probability.js'
import type { Match, Rule, Target } from './rule.js'

/** A rule as iptables-save prints it, without `-A CHAIN` (verified against iptables 1.8.9, nft and legacy). */
export function savedSpec(rule: Rule<string>, family: IpFamily): string {
  return renderRule(savedRule(rule, family))
}

/** What a rule is once it is in the kernel: addresses with prefix lengths, values that were left out filled in. */
export function savedRule({ matches, target }: Rule<string>, family: IpFamily): saved.Rule {
  const rule: Building = { matches: [] }
  for (const match of matches) addMatch(rule, match, family)
  if (target) rule.target = savedTarget(target, family)
  return rule
}

type Building = { -readonly [Field in keyof saved.Rule]: saved.Rule[Field] } & {
  readonly matches: saved.Match[]
}

function addMatch(rule: Building, match: Match, family: IpFamily): void {
  switch (match.kind) {
    case 'source':
      return addNetwork(rule, 'source', match, family)
    case 'destination':
      return addNetwork(rule, 'destination', match, family)
    case 'inInterface':
      rule.inInterface = negatable(match.name, match)
      return
    case 'protocol':
      rule.protocol = { value: match.protocol }
      return
    case 'transport':
      rule.protocol = { value: match.protocol }
      if (match.destination !== undefined)
        addNetwork(rule, 'destination', { address: match.destination }, family)
      rule.matches.push(transport(match))
      return
    default:
      rule.matches.push(savedMatch(match, family))
  }
}

/** A network that holds everything is no condition, and is not printed. */
function addNetwork(
  rule: Building,
  side: 'source' | 'destination',
  match: { readonly address: string; readonly negated?: boolean },
  family: IpFamily,
): void {
  const { address } = match
  const full = address.includes('/') ? address : `${address}/${family === 'IPv4' ? 32 : 128}`
  if (match.negated === true || !full.endsWith('/0')) rule[side] = negatable(full, match)
}

function transport({ protocol, port }: Extract<Match, { kind: 'transport' }>): saved.Match {
  const dport = port === undefined ? {} : { dport: { value: { first: port, last: port } } }
  if (protocol === 'tcp' || protocol === 'udp' || protocol === 'sctp') return { kind: protocol, ...dport }
  throw new Error(`no match for the ports of protocol ${protocol}`)
}

type OtherMatch = Exclude<
  Match,
  { readonly kind: 'source' | 'destination' | 'inInterface' | 'protocol' | 'transport' }
>

const protocolNumber: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 }

function savedMatch(match: OtherMatch, family: IpFamily): saved.Match {
  switch (match.kind) {
    case 'comment':
      return { kind: 'comment', comment: match.text }
    case 'statistic':
      return { kind: 'statistic', mode: 'random', probability: { value: Number(savedProbability(match.of)) } }
    case 'recentCheck':
      return {
        ...{ kind: 'recent', rcheck: true, seconds: match.seconds, reap: true, name: match.name },
        ...allOfSource(family),
      }
    case 'recentSet':
      return { kind: 'recent', set: true, name: match.name, ...allOfSource(family) }
    case 'addrtype': {
      const type = negatable(['LOCAL'], match)
      return { kind: 'addrtype', ...(match.side === 'src' ? { srcType: type } : { dstType: type }) }
    }
    case 'physdevIn':
      return { kind: 'physdev', physdevIsIn: match.negated !== true }
    case 'set':
      return { kind: 'set', matchSet: { value: { name: match.name, fields: match.fields.split(',') } } }
    case 'ipvs':
      return {
        kind: 'ipvs',
        vproto: { value: protocolNumber[match.protocol] ?? 0 },
        vaddr: { value: match.address },
        vport: { value: match.port },
      }
    case 'conntrack':
      return { kind: 'conntrack', ctstate: negatable(match.states.split(','), match) }
    case 'state':
      return { kind: 'state', state: { value: match.states.split(',') } }
    case 'mark':
      return { kind: 'mark', mark: negatable({ value: match.mark, mask: match.mark }, match) }
    case 'nfacct':
      return { kind: 'nfacct', nfacctName: match.name }
  }
}

function savedTarget(target: Target, family: IpFamily): saved.Target {
  switch (target.kind) {
    case 'jump':
      return target
    case 'verdict':
      if (target.verdict !== 'REJECT') return { kind: target.verdict }
      return {
        kind: 'REJECT',
        rejectWith: family === 'IPv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable',
      }
    case 'mark': {
      const { mark, operation } = target
      return { kind: 'MARK', setXmark: { value: mark, mask: operation === 'or' ? mark : 0 } }
    }
    case 'masquerade':
      return { kind: 'MASQUERADE', ...(target.randomFully ? { randomFully: true } : {}) }
    case 'dnat':
      return { kind: 'DNAT', toDestination: readNatRange(target.to) }
    case 'redirect':
      return { kind: 'REDIRECT', toPorts: { first: target.port, last: target.port } }
  }
}

function negatable<Value>(value: Value, { negated }: { readonly negated?: boolean }): Negatable<Value> {
  return negated === true ? { value, negated } : { value }
}

function allOfSource(family: IpFamily) {
  const mask = family === 'IPv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
  return { mask, rsource: true } as const
}
