import type { Match } from '../../netfilter/rules/model.js'
import { familyOf } from '../../net/ipFamily.js'
import { all, no, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** Compares the virtual server of IPVS that has rewritten the packet (ipvs_mt of Linux). */
export function balancing(
  match: Extract<Match, { readonly kind: 'ipvs' }>,
  { balanced, packet }: Seen,
): Answer {
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

function notBalanced(is: boolean): string {
  return is ? 'IPVS has rewritten it' : 'IPVS has not rewritten it'
}
