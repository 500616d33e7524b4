import { addressBetween, networkHolds, parseNetwork, type Network } from '../../net/address.js'
import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { all, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** The networks of options, parsed once; `unknown` for masks with gaps. */
const networks = new WeakMap<Negatable<string>, Network | 'unknown'>()

/** Whether an address is in the network of an option. */
export function address(field: Negatable<string>, own: string, side: string): Answer {
  const network = networks.get(field) ?? networkOf(field.value)
  networks.set(field, network)
  if (network === 'unknown') return unknown('masks with gaps are not predicted')
  return said(field, networkHolds(network, own), `${side} is ${own}`)
}

function networkOf(value: string): Network | 'unknown' {
  const range = value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`
  return parseNetwork(range) ?? 'unknown'
}

/** Ranges of addresses that are no networks. */
export function iprange(match: Extract<Match, { readonly kind: 'iprange' }>, { packet }: Seen): Answer {
  const ofSide = (field: Negatable<string> | undefined, side: 'source' | 'destination') => {
    if (field === undefined) return yes
    const [first = '', last = first] = field.value.split('-')
    const own = packet[side].address
    return said(field, addressBetween(own, first, last), `${side} is ${own}`)
  }
  return all(ofSide(match.srcRange, 'source'), () => ofSide(match.dstRange, 'destination'))
}
