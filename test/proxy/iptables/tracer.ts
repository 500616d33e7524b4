import { networkHolds, parseNetwork } from '../../../src/net/address.js'
import { matchOf } from '../../../src/netfilter/rules/model.js'
import { printNatRange } from '../../../src/netfilter/rules/targets/nat.js'
import type { Match } from '../../../src/netfilter/rules/model.js'
import type { Rule } from '../../../src/proxy/iptables/rule.js'
import type { Ruleset } from '../../../src/proxy/iptables/ruleset.js'
import { tableRules } from '../../../src/proxy/iptables/tableRules.js'
import { localAddresses } from '../objects.js'

/** What happened to a packet. */
export interface Trace {
  /** Endpoints that may get it, `address:port`, joined with commas; or REJECT, DROP, ACCEPT; empty when nothing matched. */
  readonly result: string
  readonly masquerade: boolean
}

interface Packet {
  readonly source: string
  readonly protocol: string
  destination: string
  readonly port: number
}

interface State {
  readonly packet: Packet
  readonly chains: ReadonlyMap<string, readonly Rule[]>
  readonly endpoints: string[]
  masquerade: boolean
}

/**
 * Follows one packet through the rules, as section 8.2 of the specification describes: every choice by probability is
 * both taken and skipped; marks, connection states and recent lists never match.
 */
export function trace(
  ruleset: Ruleset,
  source: string,
  protocol: string,
  destination: string,
  port: number,
): Trace {
  const packet: Packet = { source, protocol, destination, port }
  const nat: State = { packet, chains: byChain(tableRules(ruleset, 'nat')), endpoints: [], masquerade: false }
  walk('KUBE-SERVICES', nat)
  const first = nat.endpoints[0]
  if (first !== undefined) packet.destination = first.replace(/^\[?(.*?)\]?:\d+$/, '$1')

  const filter: State = { ...nat, chains: byChain(tableRules(ruleset, 'filter')), endpoints: [] }
  for (const chain of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL']) {
    const verdict = walk(chain, filter)
    if (verdict !== undefined) return { result: verdict, masquerade: nat.masquerade }
  }
  return { result: [...new Set(nat.endpoints)].join(', '), masquerade: nat.masquerade }
}

function walk(chain: string, state: State): string | undefined {
  for (const rule of state.chains.get(chain) ?? []) {
    if (!isFor(rule, state.packet)) continue
    const random = matchOf(rule, 'statistic') !== undefined
    const verdict = act(rule, state)
    if (verdict !== undefined && !random) return verdict
  }
  return undefined
}

function act({ target }: Rule, state: State): string | undefined {
  switch (target?.kind) {
    case 'DNAT':
      state.endpoints.push(printNatRange(target.toDestination))
      return 'DNAT'
    case 'ACCEPT':
    case 'DROP':
    case 'REJECT':
    case 'RETURN':
      return target.kind
    case 'jump':
      if (target.chain === 'KUBE-MARK-MASQ') state.masquerade = true
      return walk(target.chain, state)
    default:
      return undefined
  }
}

function isFor(rule: Rule, packet: Packet): boolean {
  return (
    holds(rule.source, packet.source) &&
    holds(rule.destination, packet.destination) &&
    (rule.protocol === undefined || rule.protocol.value === packet.protocol) &&
    rule.inInterface === undefined &&
    rule.matches.every((match) => matches(match, packet))
  )
}

function matches(match: Match, packet: Packet): boolean {
  switch (match.kind) {
    case 'comment':
    case 'nfacct':
    case 'statistic':
      return true
    case 'tcp':
    case 'udp':
    case 'sctp':
      return match.dport === undefined || match.dport.value.first === packet.port
    case 'addrtype':
      return localAddresses.includes(match.srcType ? packet.source : packet.destination)
    default:
      return false
  }
}

function holds(network: Rule['source'], address: string): boolean {
  if (network === undefined) return true
  const { value, negated = false } = network
  const parsed = parseNetwork(value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`)
  return (parsed !== undefined && networkHolds(parsed, address)) !== negated
}

function byChain(rules: readonly Rule[]): Map<string, Rule[]> {
  const chains = new Map<string, Rule[]>()
  for (const rule of rules) chains.set(rule.chain, [...(chains.get(rule.chain) ?? []), rule])
  return chains
}
