import type { IpFamily } from '../../cluster/types.js'
import { savedProbability } from './probability.js'
import type { Match, Rule, Target } from './rule.js'

/**
 * A rule as iptables-save prints it, without `-A CHAIN`: addresses, interface and protocol first, then the other
 * matches in the order in which they were given (verified against iptables 1.8.9, nft and legacy).
 */
export function savedSpec(rule: Rule<string>, family: IpFamily): string {
  let source = ''
  let destination = ''
  let inInterface = ''
  let protocol = ''
  const parts: string[] = []
  for (const match of rule.matches) {
    if (match.kind === 'source') source = option('-s', match, family)
    else if (match.kind === 'destination') destination = option('-d', match, family)
    else if (match.kind === 'inInterface')
      inInterface = `${match.negated === true ? '! ' : ''}-i ${match.name}`
    else if (match.kind === 'protocol') protocol = `-p ${match.protocol}`
    else parts.push(savedMatch(match, family))
    if (match.kind !== 'transport') continue
    protocol = `-p ${match.protocol}`
    if (match.destination !== undefined) destination = option('-d', { address: match.destination }, family)
  }
  if (rule.target) parts.push(savedTarget(rule.target, family))
  return [source, destination, inInterface, protocol, ...parts].filter((part) => part !== '').join(' ')
}

const protocolNumber: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 }

type OtherMatch = Exclude<Match, { readonly kind: 'source' | 'destination' | 'inInterface' | 'protocol' }>

function savedMatch(match: OtherMatch, family: IpFamily): string {
  switch (match.kind) {
    case 'comment':
      return `-m comment --comment ${quoted(match.text)}`
    case 'transport':
      return match.port === undefined ? `-m ${match.protocol}` : `-m ${match.protocol} --dport ${match.port}`
    case 'statistic':
      return `-m statistic --mode random --probability ${savedProbability(match.of)}`
    case 'recentCheck':
      return `-m recent --rcheck --seconds ${match.seconds} --reap --name ${match.name} ${recentMask(family)}`
    case 'recentSet':
      return `-m recent --set --name ${match.name} ${recentMask(family)}`
    case 'addrtype':
      return `-m addrtype ${match.negated === true ? '! ' : ''}--${match.side}-type LOCAL`
    case 'physdevIn':
      return `-m physdev ${match.negated === true ? '! ' : ''}--physdev-is-in`
    case 'set':
      return `-m set --match-set ${match.name} ${match.fields}`
    case 'ipvs':
      return `-m ipvs --vproto ${protocolNumber[match.protocol] ?? match.protocol} --vaddr ${match.address} --vport ${match.port}`
    case 'conntrack':
      return `-m conntrack ${match.negated === true ? '! ' : ''}--ctstate ${match.states}`
    case 'state':
      return `-m state --state ${match.states}`
    case 'mark':
      return `-m mark ${match.negated === true ? '! ' : ''}--mark ${hex(match.mark)}/${hex(match.mark)}`
    case 'nfacct':
      // Two spaces: iptables 1.8.9 prints one of its own before each option.
      return `-m nfacct --nfacct-name  ${match.name}`
  }
}

function savedTarget(target: Target, family: IpFamily): string {
  switch (target.kind) {
    case 'jump':
      return `-j ${target.chain}`
    case 'verdict':
      if (target.verdict !== 'REJECT') return `-j ${target.verdict}`
      return `-j REJECT --reject-with ${family === 'IPv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable'}`
    case 'mark':
      return `-j MARK --set-xmark ${hex(target.mark)}/${target.operation === 'or' ? hex(target.mark) : '0x0'}`
    case 'masquerade':
      return target.randomFully ? '-j MASQUERADE --random-fully' : '-j MASQUERADE'
    case 'dnat':
      return `-j DNAT --to-destination ${target.to}`
    case 'redirect':
      return `-j REDIRECT --to-ports ${target.port}`
  }
}

function option(
  name: '-s' | '-d',
  match: { readonly address: string; readonly negated?: boolean },
  family: IpFamily,
): string {
  const full = match.address.includes('/')
    ? match.address
    : `${match.address}/${family === 'IPv4' ? 32 : 128}`
  // A network that holds everything is no condition, and is not printed.
  if (full.endsWith('/0') && match.negated !== true) return ''
  return `${match.negated === true ? '! ' : ''}${name} ${full}`
}

function quoted(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `"${text.replaceAll("'", "\\'")}"`
}

function recentMask(family: IpFamily): string {
  const mask = family === 'IPv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
  return `--mask ${mask} --rsource`
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}
