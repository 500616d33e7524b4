import type { IpFamily } from '../../cluster/types.js'
import { targetName } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import type { ShippedMode } from '../../proxy/config.js'
import type { Iptables } from '../backend.js'
import type { Frontend } from './frontends.js'

/** What to ask the kernel for, in a node's namespace, to see what a kube-proxy of some mode has done for one family. */
export function evidenceCommand(mode: ShippedMode, family: IpFamily, iptables: Iptables): string[] {
  switch (mode) {
    case 'iptables':
      return [iptables.program(family, 'save')]
    case 'nftables':
      return ['nft', 'list', 'table', family === 'IPv4' ? 'ip' : 'ip6', 'kube-proxy']
    case 'ipvs':
      return ['ip', '-o', family === 'IPv4' ? '-4' : '-6', 'address', 'show', 'dev', 'kube-ipvs0']
  }
}

/** The frontends that the answer says nothing of. */
export function missingFrontends(
  mode: ShippedMode,
  answer: string,
  frontends: readonly Frontend[],
): readonly Frontend[] {
  const shows = shown[mode](answer)
  return frontends.filter((frontend) => !shows(frontend))
}

const shown: Readonly<Record<ShippedMode, (answer: string) => (frontend: Frontend) => boolean>> = {
  iptables: (answer) => {
    const targets = ruleTargets(answer)
    return ({ address, protocol, port, hasEndpoints }) => {
      const found = targets.get(`${address} ${protocol} ${port}`) ?? []
      return found.some((target) => !hasEndpoints || target !== 'REJECT')
    }
  },
  // elements of its verdict maps: `10.96.0.10 . tcp . 80 : goto service-…`
  nftables:
    (answer) =>
    ({ address, protocol, port }) =>
      new RegExp(`(^|[\\s{,])${escaped(address)} \\. ${protocol} \\. ${port}\\b`, 'm').test(answer),
  ipvs:
    (answer) =>
    ({ address }) =>
      answer.includes(` ${address}/`),
}

/** The targets of all saved rules that match one destination address, protocol and port. */
function ruleTargets(saved: string): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const line of saved.split('\n')) {
    const rule = parseRule(/^-A \S+ (.*)$/.exec(line)?.[1] ?? '')
    const { destination, protocol, matches } = rule
    const address = /^(.*)\/(?:32|128)$/.exec(destination?.value ?? '')?.[1]
    const port = matches.flatMap((match) => ('dport' in match ? [match.dport?.value.first] : []))[0]
    const target = targetName(rule)
    if (address === undefined || port === undefined || target === undefined) continue
    const key = `${address} ${protocol?.value} ${port}`
    targets.set(key, [...(targets.get(key) ?? []), target])
  }
  return targets
}

function escaped(text: string): string {
  return text.replaceAll('.', '\\.')
}
