import type { Match } from '../../netfilter/rules/model.js'
import { familyOf } from '../../net/ipFamily.js'
import { all, no, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

type BalancingMatch = Extract<Match, { readonly vaddr?: unknown }>

/** Compares the virtual server of IPVS that has rewritten the packet (ipvs_mt of Linux); undefined for another match. */
export function balancing(match: Match, { balanced, packet }: Seen): Answer | undefined {
  if (!isBalancing(match)) return undefined
  const { vaddr, vport, vproto, vdir, vmethod, vportctl } = match
  if (match.ipvs !== undefined)
    return match.ipvs === (balanced !== undefined) ? yes : no(notBalanced(balanced !== undefined))
  if (balanced === undefined) return no(notBalanced(false))
  const { server } = balanced
  if (vmethod !== undefined || vportctl !== undefined || vdir !== undefined || packet.kind !== 'request')
    return unknown('of IPVS, only requests by protocol, address and port are predicted')
  const bits = familyOf(server.address) === 'IPv4' ? '/32' : '/128'
  const address = vaddr?.value.replace(bits, '')
  return all(
    vaddr === undefined
      ? yes
      : said(vaddr, address === server.address, `the virtual address is ${server.address}`),
    () =>
      all(
        vport === undefined
          ? yes
          : said(vport, vport.value === server.port, `the virtual port is ${server.port}`),
        () =>
          vproto === undefined
            ? yes
            : said(vproto, vproto.value === numbers[server.protocol], `the protocol is ${server.protocol}`),
      ),
  )
}

const numbers: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 }

const kinds: ReadonlySet<string> = new Set(['ipvs'])

function isBalancing(match: Match): match is BalancingMatch {
  return kinds.has(match.kind)
}

function notBalanced(is: boolean): string {
  return is ? 'IPVS has rewritten it' : 'IPVS has not rewritten it'
}
