import { probability } from './probability.js'
import type { Match, Rule, Target } from './rule.js'

/** One rule as kube-proxy writes it for iptables-restore, appended (`-A`) or inserted at the top (`-I`). */
export function restoreRule(rule: Rule<string>, command: '-A' | '-I'): string {
  let text = `${command} ${rule.chain}`
  for (const match of rule.matches) text += restoreMatch(match)
  return rule.target === undefined ? text : text + restoreTarget(rule.target)
}

function restoreMatch(match: Match): string {
  switch (match.kind) {
    case 'comment':
      return match.text.includes(' ')
        ? ` -m comment --comment "${match.text}"`
        : ` -m comment --comment ${match.text}`
    case 'transport': {
      const destination = match.destination === undefined ? '' : ` -d ${match.destination}`
      const port = match.port === undefined ? '' : ` --dport ${match.port}`
      return ` -m ${match.protocol} -p ${match.protocol}${destination}${port}`
    }
    case 'source':
      return `${not(match)} -s ${match.address}`
    case 'destination':
      return `${not(match)} -d ${match.address}`
    case 'inInterface':
      return `${not(match)} -i ${match.name}`
    case 'statistic':
      return ` -m statistic --mode random --probability ${probability(match.of)}`
    case 'recentCheck':
      return ` -m recent --name ${match.name} --rcheck --seconds ${match.seconds} --reap`
    case 'recentSet':
      return ` -m recent --name ${match.name} --set`
    case 'protocol':
      return ` -p ${match.protocol}`
    case 'addrtype':
      return ` -m addrtype${not(match)} --${match.side}-type LOCAL`
    case 'physdevIn':
      return ` -m physdev${not(match)} --physdev-is-in`
    case 'set':
      return ` -m set --match-set ${match.name} ${match.fields}`
    case 'ipvs':
      return ` -m ipvs --vaddr ${match.address} --vproto ${match.protocol} --vport ${match.port}`
    case 'conntrack':
      return ` -m conntrack${not(match)} --ctstate ${match.states}`
    case 'state':
      return ` -m state --state ${match.states}`
    case 'mark':
      return ` -m mark${not(match)} --mark ${markText(match.mark)}/${markText(match.mark)}`
    case 'nfacct':
      return ` -m nfacct --nfacct-name ${match.name}`
  }
}

function restoreTarget(target: Target): string {
  switch (target.kind) {
    case 'jump':
      return ` -j ${target.chain}`
    case 'verdict':
      return ` -j ${target.verdict}`
    case 'mark':
      return ` -j MARK --${target.operation}-mark ${markText(target.mark)}`
    case 'masquerade':
      return target.randomFully ? ' -j MASQUERADE --random-fully' : ' -j MASQUERADE'
    case 'dnat':
      return ` -j DNAT --to-destination ${target.to}`
    case 'redirect':
      return ` -j REDIRECT --to-ports ${target.port}`
  }
}

/** A mark as kube-proxy writes it: at least 8 hexadecimal digits. */
export function markText(mark: number): string {
  return `0x${mark.toString(16).padStart(8, '0')}`
}

function not(match: { readonly negated?: boolean }): string {
  return match.negated === true ? ' !' : ''
}
