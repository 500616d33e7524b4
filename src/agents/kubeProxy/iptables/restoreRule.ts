import { printNatRange } from '../../../netfilter/rules/targets/nat.js'
import { connectionMatches } from '../../../netfilter/rules/matches/connection.js'
import type { Negatable } from '../../../netfilter/rules/option.js'
import { matchText, targetText } from '../../../netfilter/rules/render.js'
import { markText } from '../markText.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { protocolNumbers, type Rule } from './rule.js'

/**
 * One rule as kube-proxy writes it for iptables-restore, appended (`-A`) or inserted at the top (`-I`). Options that need
 * no extension are placed as kube-proxy does: protocol and destination with the port, if there is one; other addresses
 * after the matches, but before those on the connection.
 */
export function restoreRule(rule: Rule<string>, command: '-A' | '-I'): string {
  const { chain, protocol, source, destination, inInterface, matches, target } = rule
  const transport = protocol && matches.find(isTransport)
  let text = `${command} ${chain}`
  let addresses = ''
  if (transport === undefined) {
    if (protocol) text += option('-p', protocol)
    if (destination) addresses += option('-d', destination)
  }
  if (source) addresses += option('-s', source)
  if (inInterface) addresses += option('-i', inInterface)
  for (const match of matches) {
    if (addresses !== '' && match.kind in connectionMatches) {
      text += addresses
      addresses = ''
    }
    text +=
      match === transport
        ? ` -m ${match.kind}${option('-p', protocol)}${option('-d', destination)}${portText(transport)}`
        : restoreMatch(match)
  }
  text += addresses
  return target === undefined ? text : text + restoreTarget(target)
}

type Transport = Extract<Match, { readonly kind: 'tcp' | 'udp' | 'sctp' }>

function isTransport(match: Match): match is Transport {
  return match.kind === 'tcp' || match.kind === 'udp' || match.kind === 'sctp'
}

function portText({ dport }: Transport): string {
  return dport === undefined ? '' : ` --dport ${dport.value.first}`
}

/** A match as kube-proxy writes it, where that differs from what iptables-save prints. */
function restoreMatch(match: Match): string {
  switch (match.kind) {
    case 'comment':
      return ` -m comment --comment ${match.comment.includes(' ') ? `"${match.comment}"` : match.comment}`
    case 'statistic':
      return ` -m statistic --mode random --probability ${match.probability?.value.toFixed(10)}`
    case 'recent': {
      const action = match.set === true ? '--set' : `--rcheck --seconds ${match.seconds} --reap`
      return ` -m recent --name ${match.name} ${action}`
    }
    case 'ipvs': {
      const [protocol] =
        Object.entries(protocolNumbers).find(([, number]) => number === match.vproto?.value) ?? []
      return ` -m ipvs${option('--vaddr', match.vaddr)} --vproto ${protocol}${option('--vport', match.vport)}`
    }
    case 'mark': {
      const { value, mask } = match.mark.value
      return ` -m mark${option('--mark', { ...match.mark, value: `${markText(value)}/${markText(mask)}` })}`
    }
    case 'nfacct':
      return ` -m nfacct --nfacct-name ${match.nfacctName}`
    default:
      return ` ${matchText(match)}`
  }
}

function restoreTarget(target: Target): string {
  switch (target.kind) {
    case 'MARK':
      return ` -j MARK --${target.setXmark.mask === 0 ? 'xor' : 'or'}-mark ${markText(target.setXmark.value)}`
    case 'REJECT':
      return ' -j REJECT'
    case 'jump':
      return ` -j ${target.chain}`
    case 'DNAT':
      return ` -j DNAT --to-destination ${printNatRange(target.toDestination)}`
    default:
      return ` ${targetText(target)}`
  }
}

function option(flag: string, field: Negatable<string | number> | undefined): string {
  return field === undefined ? '' : `${field.negated === true ? ' !' : ''} ${flag} ${field.value}`
}
